/* Sediment that settles in standing water, from the mouths of rivers on. */
#include <math.h>

#include "base/memory.h"
#include "terrain/hydrology/sediment.h"

void oro_standing_scratch_free(struct oro_standing_scratch *scratch)
{
    oro_free(scratch->seen);
    oro_free(scratch->listed.keys);
    *scratch = (struct oro_standing_scratch){0};
}

static bool make_scratch(struct oro_standing_scratch *scratch, size_t cells, struct oro_error *err)
{
    if (scratch->cells == cells)
        return true;
    oro_standing_scratch_free(scratch);
    scratch->seen = oro_alloc(cells, sizeof *scratch->seen);
    scratch->cells = cells;
    if (scratch->seen)
        return true;
    oro_standing_scratch_free(scratch);
    return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
}

/* A way over the cells of a body, from one of them outwards: the nearest as the crow flies of those that are
 * listed comes next, so that what settles is round. */
struct spread {
    const struct oro_standing_water *water;
    struct oro_standing_scratch *scratch;
    size_t from;
};

/* Squared, in cells: exact up to 65535 cells. */
static uint32_t distance_squared(const struct spread *s, size_t cell)
{
    int64_t width = s->water->width, to = (int64_t)cell, from = (int64_t)s->from;
    int64_t x = to % width - from % width, y = to / width - from / width, squared = x * x + y * y;
    return squared < UINT32_MAX ? (uint32_t)squared : UINT32_MAX;
}

static bool list(struct spread *s, size_t cell)
{
    struct oro_standing_scratch *scratch = s->scratch;
    if (s->water->body[cell] != s->water->body[s->from] || scratch->seen[cell] == scratch->stamp)
        return true;
    scratch->seen[cell] = scratch->stamp;
    return oro_heap_put(&scratch->listed, (uint64_t)distance_squared(s, cell) << 32 | cell);
}

static bool list_around(struct spread *s, size_t cell)
{
    long width = s->water->width, height = s->water->height;
    long x = (long)cell % width, y = (long)cell / width;
    for (int k = 0; k < 9; k++) {
        long column = x + k % 3 - 1, row = y + k / 3 - 1;
        bool inside = column >= 0 && row >= 0 && column < width && row < height;
        if (inside && !list(s, (size_t)(row * width + column)))
            return false;
    }
    return true;
}

/* Up to where the front, which falls by `fall`, stands. */
static void put(struct spread *s, size_t cell, double fall, double *volume)
{
    const struct oro_standing_water *water = s->water;
    double before = (double)water->floor[cell], depth = (double)water->level[cell] - fall - before;
    if (!(depth > 0) || (water->held && water->held[cell] < 0))
        return;
    double wanted = fmin(depth, *volume);
    water->floor[cell] = (float)(before + wanted);
    s->scratch->rounded += wanted - ((double)water->floor[cell] - before);
    *volume -= wanted;
}

/* From the first cell on, while there is something left and, for a front, while it reaches below the surface
 * no deeper than water ever stood over the cells before. False: no memory. */
static bool spread(struct spread *s, double front, double *volume)
{
    double deepest = 0;
    struct oro_heap *listed = &s->scratch->listed;
    listed->count = 0;
    s->scratch->stamp++;
    bool ok = list(s, s->from);
    while (ok && listed->count > 0 && *volume > 0) {
        size_t cell = (uint32_t)oro_heap_take(listed);
        double depth = (double)s->water->level[cell] - (double)s->water->floor[cell];
        double fall = front * s->water->cell * sqrt((double)distance_squared(s, cell));
        deepest = fmax(deepest, depth);
        put(s, cell, fall, volume);
        if (!(front > 0) || fall <= deepest + 2 * front * s->water->cell)
            ok = list_around(s, cell);
    }
    return ok;
}

bool oro_standing_settle(const struct oro_standing_water *water, struct oro_standing_scratch *scratch,
                         size_t cell, double *volume, struct oro_error *err)
{
    struct spread s = {.water = water, .scratch = scratch, .from = cell};
    if (!make_scratch(scratch, (size_t)water->width * (size_t)water->height, err))
        return false;
    if (spread(&s, ORO_DELTA_FRONT, volume) && (!(*volume > 0) || spread(&s, 0, volume)))
        return true;
    return oro_fail(err, ORO_E_MEMORY, "no memory for the cells that sediment reaches");
}

double oro_standing_raise(const struct oro_standing_water *water, struct oro_standing_scratch *scratch,
                          uint32_t body, double volume)
{
    size_t cells = (size_t)water->width * (size_t)water->height, first = cells, end = 0;
    double low = HUGE_VAL;
    for (size_t i = 0; i < cells; i++)
        if (water->body[i] == body) {
            low = fmin(low, (double)water->floor[i]);
            first = i < first ? i : first;
            end = i + 1;
        }
    double high = low + volume; /* one cell alone would take it all below that */
    for (int k = 0; k < 60; k++) {
        double level = 0.5 * (low + high), holds = 0;
        for (size_t i = first; i < end; i++)
            if (water->body[i] == body)
                holds += fmax(level - (double)water->floor[i], 0);
        *(holds < volume ? &low : &high) = level;
    }
    scratch->rounded += volume;
    for (size_t i = first; i < end; i++)
        if (water->body[i] == body && water->floor[i] < (float)high) {
            scratch->rounded -= (double)(float)high - (double)water->floor[i];
            water->floor[i] = (float)high;
        }
    return (double)(float)high;
}
