#include "nodes/lib/distance_squares.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"

struct squares {
    int32_t *cells;
    size_t width, height;
    atomic_bool failed;
};

/* ---- Along the columns: how far it is to the nearest marked cell of the same one; -1: there is none ---- */

static int32_t nearer(int32_t distance, int32_t of_next)
{
    return of_next >= 0 && (distance < 0 || of_next + 1 < distance) ? of_next + 1 : distance;
}

static void measure_columns(void *user, size_t first, size_t end)
{
    const struct squares *s = user;
    for (size_t x = first; x < end; x++)
        s->cells[x] = s->cells[x] < 0 ? -1 : 0;
    for (size_t y = 1; y < s->height; y++) {
        int32_t *row = s->cells + y * s->width;
        for (size_t x = first; x < end; x++)
            row[x] = nearer(row[x] < 0 ? -1 : 0, row[x - s->width]);
    }
    for (size_t y = s->height - 1; y-- > 0;) {
        int32_t *row = s->cells + y * s->width;
        for (size_t x = first; x < end; x++)
            row[x] = nearer(row[x], row[x + s->width]);
    }
}

/* ---- Along the rows: the lower envelope of parabolas (Meijster 2000) ---- */

/* The column of a parabola, its height there, and the first cell in which it is the lowest. */
struct parabola {
    int64_t column, height, from;
};

static int64_t parabola_at(const struct parabola *p, int64_t x)
{
    return (x - p->column) * (x - p->column) + p->height;
}

/* The last cell in which `west` is no higher than `east`; it is none of those west of the grid. */
static int64_t last_below(const struct parabola *west, const struct parabola *east)
{
    int64_t difference = east->column * east->column - west->column * west->column;
    return (difference + east->height - west->height) / (2 * (east->column - west->column));
}

/* Finds those parabolas of a row that are the lowest somewhere, from west to east. */
static size_t find_envelope(const int32_t *row, size_t width, struct parabola *envelope)
{
    size_t count = 0;
    for (size_t x = 0; x < width; x++) {
        if (row[x] < 0)
            continue;
        struct parabola p = {.column = (int64_t)x, .height = (int64_t)row[x] * row[x]};
        while (count > 0 && parabola_at(&envelope[count - 1], envelope[count - 1].from) >
                                parabola_at(&p, envelope[count - 1].from))
            count--;
        p.from = count > 0 ? 1 + last_below(&envelope[count - 1], &p) : 0;
        if (p.from < (int64_t)width)
            envelope[count++] = p;
    }
    return count;
}

static int32_t coded(int64_t square)
{
    float value = -(float)square;
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return square <= INT32_MAX ? (int32_t)square : bits;
}

static void measure_row(int32_t *row, size_t width, struct parabola *envelope)
{
    size_t count = find_envelope(row, width, envelope);
    for (size_t x = width; count > 0 && x-- > 0;) {
        row[x] = coded(parabola_at(&envelope[count - 1], (int64_t)x));
        count -= envelope[count - 1].from == (int64_t)x;
    }
}

static void measure_rows(void *user, size_t first, size_t end)
{
    struct squares *s = user;
    struct parabola *envelope = oro_alloc(s->width, sizeof *envelope);
    if (!envelope)
        atomic_store(&s->failed, true);
    for (size_t y = first; envelope && y < end; y++)
        measure_row(s->cells + y * s->width, s->width, envelope);
    oro_free(envelope);
}

bool oro_distance_squares(int32_t *cells, int width, int height)
{
    enum { LEAST_COLUMNS = 64, LEAST_ROWS = 16 };
    struct squares s = {.cells = cells, .width = (size_t)width, .height = (size_t)height};
    oro_parallel(s.width, LEAST_COLUMNS, measure_columns, &s);
    oro_parallel(s.height, LEAST_ROWS, measure_rows, &s);
    return !atomic_load(&s.failed);
}
