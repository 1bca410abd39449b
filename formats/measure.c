#include "formats/measure.h"

#include <math.h>

#include "base/memory.h"

/* What becomes of a cell's water: 0..7 is the neighbour it flows to, in row-major order. */
enum { TO_BORDER = 8, TO_PIT = 9 };

static const int across[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
static const int down[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

struct drainage {
    const float *heights;
    int width, height;
    ptrdiff_t step[8]; /* from a cell to its neighbours */
    unsigned char *fate;
    size_t pits, flats;
};

/* The steepest way down. Ties go to the lowest neighbour number; TO_PIT: nothing is strictly lower. */
static unsigned char steepest(const struct drainage *d, size_t cell, bool *has_equal)
{
    unsigned char best = TO_PIT;
    double best_slope = 0, here = d->heights[cell];
    *has_equal = false;
    for (unsigned char k = 0; k < 8; k++) {
        double drop = here - (double)d->heights[cell + (size_t)d->step[k]];
        double slope = across[k] && down[k] ? drop * M_SQRT1_2 : drop;
        if (slope > best_slope) {
            best_slope = slope;
            best = k;
        }
        *has_equal = *has_equal || drop == 0;
    }
    return best;
}

static void route(struct drainage *d)
{
    for (int y = 0; y < d->height; y++) {
        for (int x = 0; x < d->width; x++) {
            size_t cell = (size_t)y * (size_t)d->width + (size_t)x;
            bool border = x == 0 || y == 0 || x == d->width - 1 || y == d->height - 1, has_equal = false;
            d->fate[cell] = border ? TO_BORDER : steepest(d, cell, &has_equal);
            if (d->fate[cell] != TO_PIT)
                continue;
            d->pits++;
            if (has_equal)
                d->flats++;
        }
    }
}

/* Walks from each cell to one whose end is known, then marks the way with that end, so every cell is left
 * once: O(n) time, one byte a cell, no stack. The area that ends in pits is the number of cells so marked. */
static size_t count_ending_in_pit(struct drainage *d, size_t cells)
{
    size_t ending = 0;
    for (size_t start = 0; start < cells; start++) {
        size_t cell = start;
        while (d->fate[cell] < TO_BORDER)
            cell += (size_t)d->step[d->fate[cell]];
        unsigned char end = d->fate[cell];
        for (cell = start; d->fate[cell] < TO_BORDER;) {
            size_t next = cell + (size_t)d->step[d->fate[cell]];
            d->fate[cell] = end;
            cell = next;
        }
        if (end == TO_PIT)
            ending++;
    }
    return ending;
}

static void measure_values(const struct oro_heightfield *field, struct oro_measure *measure)
{
    float low = field->data[0], high = field->data[0];
    double sum = 0;
    for (int y = 0; y < field->height; y++) {
        const float *row = field->data + (size_t)y * (size_t)field->width;
        double row_sum = 0;
        for (int x = 0; x < field->width; x++) {
            low = row[x] < low ? row[x] : low;
            high = row[x] > high ? row[x] : high;
            row_sum += (double)row[x];
        }
        sum += row_sum;
    }
    measure->low = low;
    measure->high = high;
    measure->mean = sum / ((double)field->width * field->height);
}

bool oro_measure(const struct oro_heightfield *field, struct oro_measure *measure, struct oro_error *err)
{
    *measure = (struct oro_measure){.width = field->width, .height = field->height, .cell = field->cell};
    if (field->width <= 0 || field->height <= 0)
        return true;
    size_t cells = (size_t)field->width * (size_t)field->height;
    struct drainage d = {.heights = field->data, .width = field->width, .height = field->height};
    for (int k = 0; k < 8; k++)
        d.step[k] = (ptrdiff_t)down[k] * field->width + across[k];
    d.fate = oro_alloc(cells, 1);
    if (!d.fate)
        return oro_fail(err, ORO_E_MEMORY, "no memory to measure %dx%d cells", field->width, field->height);
    measure_values(field, measure);
    route(&d);
    measure->pits = d.pits;
    measure->flats = d.flats;
    measure->share_ending_in_pit = (double)count_ending_in_pit(&d, cells) / (double)cells;
    oro_free(d.fate);
    return true;
}
