#include "formats/measure.h"

#include <math.h>
#include <stdio.h>

#include "base/parallel.h"

/* Rows have sums of their own, which are added up in their order. */
enum { ROWS = 256 };

struct rows {
    const struct oro_heightfield *field;
    int top;
    struct oro_row_measure row[ROWS];
};

struct oro_row_measure oro_measure_no_rows(void)
{
    return (struct oro_row_measure){.low = INFINITY, .high = -INFINITY};
}

/* Cells of the sea count nowhere. */
struct oro_row_measure oro_measure_row(const float *data, const float *sea, size_t width)
{
    struct oro_row_measure row = oro_measure_no_rows();
    row.cells = width;
    for (size_t x = 0; x < width; x++) {
        bool dry = !sea || !(sea[x] > 0.5f);
        row.low = dry && data[x] < row.low ? data[x] : row.low;
        row.high = dry && data[x] > row.high ? data[x] : row.high;
        row.sum += dry ? (double)data[x] : 0;
        row.ground += dry;
    }
    return row;
}

static void measure_rows(void *user, size_t first, size_t end)
{
    struct rows *rows = user;
    const struct oro_heightfield *field = rows->field;
    size_t width = (size_t)field->width;
    for (size_t y = first; y < end; y++) {
        size_t at = ((size_t)rows->top + y) * width;
        rows->row[y] = oro_measure_row(field->data + at, field->sea ? field->sea + at : NULL, width);
    }
}

void oro_measure_add_row(struct oro_row_measure *all, const struct oro_row_measure *row)
{
    all->low = row->low < all->low ? row->low : all->low;
    all->high = row->high > all->high ? row->high : all->high;
    all->sum += row->sum;
    all->ground += row->ground;
    all->cells += row->cells;
}

struct oro_measure oro_measure_of_rows(const struct oro_heightfield *field, const struct oro_row_measure *all)
{
    struct oro_measure measure = {.width = field->width, .height = field->height, .cell = field->cell};
    measure.sea = all->cells - all->ground;
    if (all->ground == 0)
        return measure;
    measure.low = (double)all->low;
    measure.high = (double)all->high;
    measure.mean = all->sum / (double)all->ground;
    return measure;
}

void oro_measure_values(const struct oro_heightfield *field, struct oro_measure *measure)
{
    enum { LEAST = 1 << 16 }; /* cells that are worth a thread */
    struct oro_row_measure all = oro_measure_no_rows();
    struct rows rows = {.field = field};
    for (; field->width > 0 && rows.top < field->height; rows.top += ROWS) {
        int left = field->height - rows.top, count = left < ROWS ? left : ROWS;
        oro_parallel((size_t)count, LEAST / (size_t)field->width + 1, measure_rows, &rows);
        for (int y = 0; y < count; y++)
            oro_measure_add_row(&all, &rows.row[y]);
    }
    *measure = oro_measure_of_rows(field, &all);
}

struct oro_ground oro_heightfield_ground(const struct oro_heightfield *field)
{
    return (struct oro_ground){
        .width = field->width, .height = field->height, .z = field->data, .sea = field->sea};
}

bool oro_measure(const struct oro_heightfield *field, struct oro_measure *measure, struct oro_error *err)
{
    struct oro_ground ground = oro_heightfield_ground(field);
    oro_measure_values(field, measure);
    return field->width <= 0 || field->height <= 0 || oro_certify(&ground, &measure->drainage, err);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

const char *oro_drainage_text(const struct oro_certificate *drainage, char out[ORO_DRAINAGE_TEXT])
{
    if (drainage->depressions > 0)
        snprintf(out, ORO_DRAINAGE_TEXT, "%zu closed depression%s (%zu cell%s)", drainage->depressions,
                 plural(drainage->depressions), drainage->undrained, plural(drainage->undrained));
    else if (drainage->pits > 0)
        snprintf(out, ORO_DRAINAGE_TEXT, "drains across %zu flat cell%s", drainage->pits,
                 plural(drainage->pits));
    else
        snprintf(out, ORO_DRAINAGE_TEXT, "drains");
    return out;
}
