#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "formats/format.h"
#include "formats/shrink.h"

/* How one axis is resampled: output i is the sum over k of weight[i * count + k] * input[first[i] + k], where
 * indices beyond an edge stand for the edge itself. */
struct taps {
    int from, to, count;
    int *first;
    double *weight;
};

/* Catmull and Rom 1974, tension 1/2: weights of the four cells around a point at fraction t behind the
 * second. */
static void catmull_rom(double t, double weight[4])
{
    weight[0] = ((-0.5 * t + 1) * t - 0.5) * t;
    weight[1] = (1.5 * t - 2.5) * t * t + 1;
    weight[2] = ((-1.5 * t + 2) * t + 0.5) * t;
    weight[3] = (0.5 * t - 0.5) * t * t;
}

/* The centre of output i lies at ((2i+1) from - to) / (2 to) in units of input cells; integer arithmetic
 * keeps it exact. */
static void refine(const struct taps *taps, int i, double *weight)
{
    int64_t numerator = (2 * (int64_t)i + 1) * taps->from - taps->to, divisor = 2 * (int64_t)taps->to;
    int64_t cell = numerator >= 0 ? numerator / divisor : -1; /* numerator > -divisor */
    taps->first[i] = (int)cell - 1;
    catmull_rom((double)(numerator - cell * divisor) / (double)divisor, weight);
}

/* If an input cell has the length `to` and an output cell the length `from`, all borders are whole
 * numbers. */
static void average(const struct taps *taps, int i, double *weight)
{
    int64_t begin = (int64_t)i * taps->from, end = begin + taps->from;
    taps->first[i] = (int)(begin / taps->to);
    for (int k = 0; k < taps->count; k++) {
        int64_t cell_begin = ((int64_t)taps->first[i] + k) * taps->to, cell_end = cell_begin + taps->to;
        int64_t shared = (cell_end < end ? cell_end : end) - (cell_begin > begin ? cell_begin : begin);
        weight[k] = shared > 0 ? (double)shared / taps->from : 0;
    }
}

static bool make_taps(struct taps *taps, int from, int to)
{
    *taps = (struct taps){.from = from, .to = to, .count = to > from ? 4 : from / to + 2};
    if (to == from)
        taps->count = 1;
    taps->first = oro_alloc((size_t)to, sizeof *taps->first);
    taps->weight = oro_alloc((size_t)to * (size_t)taps->count, sizeof *taps->weight);
    if (!taps->first || !taps->weight)
        return false;
    for (int i = 0; i < to; i++) {
        double *weight = taps->weight + (size_t)i * (size_t)taps->count;
        if (to > from)
            refine(taps, i, weight);
        else
            average(taps, i, weight);
    }
    return true;
}

static void free_taps(struct taps *taps)
{
    oro_free(taps->first);
    oro_free(taps->weight);
}

static int clamp_index(int index, int size)
{
    return index < 0 ? 0 : index >= size ? size - 1 : index;
}

static void add_row(double *column_sums, double weight, const float *row, int width)
{
    for (int x = 0; x < width; x++)
        column_sums[x] += weight * (double)row[x];
}

static void sum_columns(const struct taps *columns, const double *column_sums, float *out)
{
    for (int x = 0; x < columns->to; x++) {
        const double *weight = columns->weight + (size_t)x * (size_t)columns->count;
        double sum = 0;
        for (int k = 0; k < columns->count; k++)
            sum += weight[k] * column_sums[clamp_index(columns->first[x] + k, columns->from)];
        out[x] = (float)sum;
    }
}

/* Sums the input rows of output row y into `column_sums`, then the columns into `out`. */
static void resample_row(const struct oro_heightfield *from, const struct taps *columns,
                         const struct taps *rows, int y, double *column_sums, float *out)
{
    memset(column_sums, 0, (size_t)from->width * sizeof *column_sums);
    for (int k = 0; k < rows->count; k++) {
        double weight = rows->weight[(size_t)y * (size_t)rows->count + (size_t)k];
        const float *row =
            from->data + (size_t)clamp_index(rows->first[y] + k, from->height) * (size_t)from->width;
        if (weight != 0)
            add_row(column_sums, weight, row, from->width);
    }
    sum_columns(columns, column_sums, out);
}

static bool resample(const struct oro_heightfield *from, struct oro_heightfield *to)
{
    struct taps columns = {0}, rows = {0};
    double *column_sums = oro_alloc((size_t)from->width, sizeof *column_sums);
    to->data = oro_alloc((size_t)to->width * (size_t)to->height, sizeof *to->data);
    bool ok = make_taps(&columns, from->width, to->width) && make_taps(&rows, from->height, to->height) &&
              column_sums && to->data;
    for (int y = 0; ok && y < to->height; y++)
        resample_row(from, &columns, &rows, y, column_sums, to->data + (size_t)y * (size_t)to->width);
    free_taps(&columns);
    free_taps(&rows);
    oro_free(column_sums);
    return ok;
}

/* ---- Row after row ---- */

/* An output row is the sum of the input rows that it covers. The next one may share its last input row. */
struct oro_shrink {
    struct taps columns, rows;
    double *sums[2]; /* of the output rows `done` and `done + 1`: the even ones, the odd ones */
    float *out;
    int y, done; /* input rows that came, output rows that are whole */
};

struct oro_shrink *oro_shrink_begin(int width, int height, int to_width, int to_height, float *out)
{
    struct oro_shrink *shrink = oro_alloc(1, sizeof *shrink);
    if (!shrink)
        return NULL;
    shrink->out = out;
    bool ok = make_taps(&shrink->columns, width, to_width) && make_taps(&shrink->rows, height, to_height);
    for (int i = 0; i < 2; i++)
        shrink->sums[i] = oro_alloc((size_t)width, sizeof *shrink->sums[i]);
    if (ok && shrink->sums[0] && shrink->sums[1])
        return shrink;
    oro_shrink_end(shrink);
    return NULL;
}

/* The weight of the input row that comes in an output row. */
static double weight_of(const struct oro_shrink *shrink, int output)
{
    const struct taps *rows = &shrink->rows;
    int k = output < rows->to ? shrink->y - rows->first[output] : -1;
    return k < 0 || k >= rows->count ? 0 : rows->weight[(size_t)output * (size_t)rows->count + (size_t)k];
}

void oro_shrink_row(struct oro_shrink *shrink, const float *row)
{
    int width = shrink->columns.from;
    for (int output = shrink->done; output < shrink->done + 2; output++) {
        double weight = weight_of(shrink, output);
        if (weight != 0)
            add_row(shrink->sums[output % 2], weight, row, width);
    }
    shrink->y++;
    int64_t end = ((int64_t)shrink->done + 1) * shrink->rows.from; /* as in average() */
    if ((int64_t)shrink->y * shrink->rows.to < end)
        return;
    double *sums = shrink->sums[shrink->done % 2];
    sum_columns(&shrink->columns, sums, shrink->out + (size_t)shrink->done * (size_t)shrink->columns.to);
    memset(sums, 0, (size_t)width * sizeof *sums);
    shrink->done++;
}

void oro_shrink_end(struct oro_shrink *shrink)
{
    if (!shrink)
        return;
    free_taps(&shrink->columns);
    free_taps(&shrink->rows);
    oro_free(shrink->sums[0]);
    oro_free(shrink->sums[1]);
    oro_free(shrink);
}

/* A mask of the resized field: where most of a cell is in it. */
static bool resample_mask(const struct oro_heightfield *from, float *values, struct oro_heightfield *to,
                          float **mask)
{
    struct oro_heightfield whole = {.width = from->width, .height = from->height, .data = values};
    struct oro_heightfield resized = {.width = to->width, .height = to->height};
    if (!values)
        return true;
    bool ok = resample(&whole, &resized);
    *mask = resized.data;
    size_t cells = (size_t)to->width * (size_t)to->height;
    for (size_t i = 0; ok && i < cells; i++)
        resized.data[i] = resized.data[i] > 0.5f ? 1.0f : 0.0f;
    return ok;
}

static bool keep_place(const struct oro_heightfield *from, struct oro_heightfield *to)
{
    to->place = from->place;
    to->place.crs = oro_copy_text(from->place.crs);
    return to->place.crs || !from->place.crs;
}

static bool side_fits(int side)
{
    return side >= 1 && side <= ORO_HEIGHTFIELD_SIDE_MAX;
}

bool oro_heightfield_resize(const struct oro_heightfield *from, int width, int height,
                            struct oro_heightfield *to, struct oro_error *err)
{
    *to = (struct oro_heightfield){0};
    if (!side_fits(width) || !side_fits(height) || !side_fits(from->width) || !side_fits(from->height))
        return oro_fail(err, ORO_E_USAGE, "cannot resize %dx%d to %dx%d: sides are 1..%d", from->width,
                        from->height, width, height, ORO_HEIGHTFIELD_SIDE_MAX);
    struct oro_heightfield resized = {
        .width = width, .height = height, .cell = from->cell * from->width / width, .metres = from->metres};
    if (!resample(from, &resized) || !resample_mask(from, from->sea, &resized, &resized.sea) ||
        !resample_mask(from, from->filled, &resized, &resized.filled) || !keep_place(from, &resized)) {
        oro_heightfield_free(&resized);
        return oro_fail(err, ORO_E_MEMORY, "no memory for %dx%d cells", width, height);
    }
    *to = resized;
    return true;
}
