#include <string.h>

#include "base/memory.h"
#include "formats/format.h"
#include "formats/shrink.h"
#include "terrain/processor/lib/resample.h"

static void resample(const struct oro_heightfield *from, enum oro_resampling method,
                     struct oro_heightfield *to)
{
    struct oro_resample k =
        oro_resample_between(from->data, from->width, from->height, to->data, to->width, to->height, method);
    struct oro_run run = {.grid = {.width = to->width, .height = to->height}};
    oro_run_tiles(&run, oro_resample_tile, &k);
}

static bool make_cells(struct oro_heightfield *field)
{
    field->data = oro_alloc((size_t)field->width * (size_t)field->height, sizeof *field->data);
    return field->data;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* What gets coarser along one axis and finer along the other is averaged first. */
static bool resample_sides(const struct oro_heightfield *from, enum oro_resampling method,
                           struct oro_heightfield *to)
{
    struct oro_heightfield part = {.width = smaller(from->width, to->width),
                                   .height = smaller(from->height, to->height)};
    bool refined = part.width < to->width || part.height < to->height;
    bool both = refined && (part.width < from->width || part.height < from->height);
    if (!make_cells(to) || (both && !make_cells(&part)))
        return false;
    if (both)
        resample(from, method, &part);
    resample(both ? &part : from, method, to);
    oro_free(part.data);
    return true;
}

/* ---- Row after row ---- */

struct oro_shrink {
    struct oro_resample resample;
    float *rows;    /* the last ones, from resample.top on */
    int came, done; /* input rows, output rows */
};

struct oro_shrink *oro_shrink_begin(int width, int height, int to_width, int to_height, float *out)
{
    struct oro_shrink *shrink = oro_alloc(1, sizeof *shrink);
    float *rows = oro_alloc((size_t)width * ((size_t)(height / to_height) + 3), sizeof *rows);
    if (!shrink || !rows) {
        oro_free(shrink);
        oro_free(rows);
        return NULL;
    }
    *shrink = (struct oro_shrink){.rows = rows};
    shrink->resample =
        oro_resample_between(rows, width, height, out, to_width, to_height, ORO_RESAMPLE_MONOTONE);
    return shrink;
}

/* Leaves out the rows before `first`. */
static void drop_rows(struct oro_shrink *shrink, int first)
{
    size_t width = (size_t)shrink->resample.field.width;
    memmove(shrink->rows, shrink->rows + (size_t)(first - shrink->resample.top) * width,
            (size_t)(shrink->came - first) * width * sizeof *shrink->rows);
    shrink->resample.top = first;
}

void oro_shrink_row(struct oro_shrink *shrink, const float *row)
{
    struct oro_resample *resample = &shrink->resample;
    size_t width = (size_t)resample->field.width;
    memcpy(shrink->rows + (size_t)(shrink->came - resample->top) * width, row, width * sizeof *row);
    shrink->came++;
    int first, end;
    oro_resample_rows(resample, shrink->done, &first, &end);
    if (end > shrink->came)
        return;
    resample->field.height = shrink->came - resample->top;
    for (int x = 0; x < resample->width; x += ORO_TILE_WIDTH)
        oro_resample_tile(
            resample, &(struct oro_tile){x, shrink->done, smaller(resample->width - x, ORO_TILE_WIDTH), 1});
    shrink->done++;
    oro_resample_rows(resample, shrink->done, &first, &end);
    drop_rows(shrink, smaller(first, shrink->came));
}

void oro_shrink_end(struct oro_shrink *shrink)
{
    if (!shrink)
        return;
    oro_free(shrink->rows);
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
    bool ok = resample_sides(&whole, ORO_RESAMPLE_MONOTONE, &resized);
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
                            enum oro_resampling method, struct oro_heightfield *to, struct oro_error *err)
{
    *to = (struct oro_heightfield){0};
    if (!side_fits(width) || !side_fits(height) || !side_fits(from->width) || !side_fits(from->height))
        return oro_fail(err, ORO_E_USAGE, "cannot resize %dx%d to %dx%d: sides are 1..%d", from->width,
                        from->height, width, height, ORO_HEIGHTFIELD_SIDE_MAX);
    struct oro_heightfield resized = {
        .width = width, .height = height, .cell = from->cell * from->width / width, .metres = from->metres};
    if (!resample_sides(from, method, &resized) || !resample_mask(from, from->sea, &resized, &resized.sea) ||
        !resample_mask(from, from->filled, &resized, &resized.filled) || !keep_place(from, &resized)) {
        oro_heightfield_free(&resized);
        return oro_fail(err, ORO_E_MEMORY, "no memory for %dx%d cells", width, height);
    }
    *to = resized;
    return true;
}
