/* Sediment that settles in standing water, from the mouths of rivers on. */
#include <math.h>

#include "base/memory.h"
#include "terrain/hydrology/sediment.h"

void oro_standing_scratch_free(struct oro_standing_scratch *scratch)
{
    oro_free(scratch->seen);
    oro_free(scratch->queue);
    *scratch = (struct oro_standing_scratch){0};
}

static bool make_scratch(struct oro_standing_scratch *scratch, size_t cells, struct oro_error *err)
{
    if (scratch->cells == cells)
        return true;
    oro_standing_scratch_free(scratch);
    scratch->seen = oro_alloc(cells, sizeof *scratch->seen);
    scratch->queue = oro_alloc(cells, sizeof *scratch->queue);
    scratch->cells = cells;
    if (scratch->seen && scratch->queue)
        return true;
    oro_standing_scratch_free(scratch);
    return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
}

/* A way over the cells of a body, from one of them outwards: the nearest as the crow flies of those that are
 * listed comes next, so that what settles is round. */
struct spread {
    const struct oro_standing_water *water;
    struct oro_standing_scratch *scratch; /* its queue is a heap */
    size_t from, listed;
};

/* Squared, in cells: exact. */
static uint64_t distance_squared(const struct spread *s, size_t cell)
{
    int64_t width = s->water->width, to = (int64_t)cell, from = (int64_t)s->from;
    int64_t x = to % width - from % width, y = to / width - from / width;
    return (uint64_t)(x * x + y * y);
}

static bool is_nearer(const struct spread *s, uint32_t a, uint32_t b)
{
    uint64_t to_a = distance_squared(s, a), to_b = distance_squared(s, b);
    return to_a < to_b || (to_a == to_b && a < b);
}

static void list(struct spread *s, size_t cell)
{
    uint32_t *heap = s->scratch->queue, added = (uint32_t)cell;
    if (s->water->body[cell] != s->water->body[s->from] || s->scratch->seen[cell] == s->scratch->stamp)
        return;
    s->scratch->seen[cell] = s->scratch->stamp;
    size_t at = s->listed++;
    for (; at > 0 && is_nearer(s, added, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = added;
}

static size_t take_nearest(struct spread *s)
{
    uint32_t *heap = s->scratch->queue, nearest = heap[0], last = heap[--s->listed];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < s->listed) {
        child += child + 1 < s->listed && is_nearer(s, heap[child + 1], heap[child]);
        if (!is_nearer(s, heap[child], last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return nearest;
}

static void list_around(struct spread *s, size_t cell)
{
    long width = s->water->width, height = s->water->height;
    long x = (long)cell % width, y = (long)cell / width;
    for (int k = 0; k < 9; k++) {
        long column = x + k % 3 - 1, row = y + k / 3 - 1;
        if (column >= 0 && row >= 0 && column < width && row < height)
            list(s, (size_t)(row * width + column));
    }
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
 * no deeper than water ever stood over the cells before. */
static void spread(struct spread *s, double front, double *volume)
{
    double deepest = 0;
    s->listed = 0;
    s->scratch->stamp++;
    list(s, s->from);
    while (s->listed > 0 && *volume > 0) {
        size_t cell = take_nearest(s);
        double depth = (double)s->water->level[cell] - (double)s->water->floor[cell];
        double fall = front * s->water->cell * sqrt((double)distance_squared(s, cell));
        deepest = fmax(deepest, depth);
        put(s, cell, fall, volume);
        if (!(front > 0) || fall <= deepest + 2 * front * s->water->cell)
            list_around(s, cell);
    }
}

bool oro_standing_settle(const struct oro_standing_water *water, struct oro_standing_scratch *scratch,
                         size_t cell, double *volume, struct oro_error *err)
{
    struct spread s = {.water = water, .scratch = scratch, .from = cell};
    if (!make_scratch(scratch, (size_t)water->width * (size_t)water->height, err))
        return false;
    spread(&s, ORO_DELTA_FRONT, volume);
    if (*volume > 0)
        spread(&s, 0, volume);
    return true;
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
