/* Draining in integer levels, and what it costs. */
#include <math.h>

#include "base/memory.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/routing_private.h"

#define TOP_MAX 16777216.0 /* whole numbers are exact in float up to here */
#define NONE (-1)

static void add_cost(struct oro_drain_cost *cost, float before, float after)
{
    double change = (double)after - (double)before;
    cost->cells += after < before || after > before;
    if (change < 0) {
        cost->cut_volume -= change;
        cost->deepest_cut = -change > cost->deepest_cut ? -change : cost->deepest_cut;
    } else {
        cost->raise_volume += change;
        cost->highest_raise = change > cost->highest_raise ? change : cost->highest_raise;
    }
}

struct oro_drain_cost oro_drain_cost(const float *before, const float *after, size_t cells)
{
    struct oro_drain_cost cost = {0};
    for (size_t i = 0; i < cells; i++)
        add_cost(&cost, before[i], after[i]);
    return cost;
}

/* The flood has a queue for every level, first in, first out. In its order, each cell comes after the next
 * one on its way out. */
struct levels {
    const struct oro_ground *ground;
    struct oro_strips strips; /* not cut by them: for the width and the number of cells */
    float *out;
    int32_t top;
    int32_t *first, *last;    /* of every queue */
    int32_t *behind;          /* of every cell: the next in its queue */
    int32_t *next;            /* of every cell: the next on its way out, itself at an outlet; NONE: not met */
    int32_t *order;           /* cells */
    int32_t *carved, *raised; /* C, R of drain.h */
    int32_t *below, *above;   /* cells to the outlet; of the longest way from upstream */
};

static int32_t largest(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t level_of(const struct levels *l, size_t cell)
{
    return (int32_t)l->ground->z[cell];
}

static bool check_levels(const struct oro_ground *ground, double top, struct oro_error *err)
{
    size_t width = (size_t)ground->width, cells = width * (size_t)ground->height;
    const float *level = ground->z;
    if (!(top >= 0 && top <= TOP_MAX && floor(top) == top))
        return oro_fail(err, ORO_E_EVALUATE, "levels end at a whole number up to %.0f, not at %g", TOP_MAX,
                        top);
    for (size_t i = 0; i < cells; i++)
        if (!(level[i] >= 0 && (double)level[i] <= top && floorf(level[i]) == level[i]))
            return oro_fail(err, ORO_E_EVALUATE,
                            "%g, at cell %zu, %zu, is not a level: they are whole numbers from 0 to %.0f",
                            (double)level[i], i % width, i / width, top);
    return true;
}

/* ---- The flood ---- */

static void put(struct levels *l, int32_t queue, size_t cell, size_t next)
{
    l->next[cell] = (int32_t)next;
    l->behind[cell] = NONE;
    if (l->first[queue] == NONE)
        l->first[queue] = (int32_t)cell;
    else
        l->behind[l->last[queue]] = (int32_t)cell;
    l->last[queue] = (int32_t)cell;
}

static void put_neighbours(struct levels *l, struct oro_offsets offsets, int32_t queue, size_t cell)
{
    size_t x = cell % l->strips.width;
    for (int k = 0; k < 8; k++) {
        if (!oro_has_neighbour(l->strips, cell, x, k))
            continue;
        size_t there = cell + (size_t)offsets.to[k];
        if (l->next[there] == NONE)
            put(l, largest(level_of(l, there), queue), there, cell);
    }
}

static bool flood(struct levels *l, struct oro_error *err)
{
    struct oro_offsets offsets = oro_offsets_of(l->ground->width);
    size_t count = 0;
    for (int32_t queue = 0; queue <= l->top; queue++)
        l->first[queue] = NONE;
    for (size_t i = 0; i < l->strips.cells; i++) {
        l->next[i] = NONE;
        if (oro_ground_is_outlet(l->ground, i))
            put(l, level_of(l, i), i, i);
    }
    for (int32_t queue = 0; queue <= l->top; queue++)
        for (int32_t cell; (cell = l->first[queue]) != NONE; l->first[queue] = l->behind[cell]) {
            if (oro_ground_stops(l->ground, count, err))
                return false;
            l->order[count++] = cell;
            put_neighbours(l, offsets, queue, (size_t)cell);
        }
    return true;
}

/* ---- Along the ways ---- */

static bool go_along(struct levels *l, struct oro_error *err)
{
    for (size_t i = 0; i < l->strips.cells; i++) {
        if (oro_ground_stops(l->ground, i, err))
            return false;
        int32_t cell = l->order[i], next = l->next[cell];
        int32_t own = level_of(l, (size_t)cell);
        l->below[cell] = next == cell ? 0 : l->below[next] + 1;
        l->raised[cell] = next == cell ? own : largest(own, l->raised[next] + 1);
        l->carved[cell] = own;
        l->above[cell] = 0;
    }
    for (size_t i = l->strips.cells; i-- > 0;) {
        if (oro_ground_stops(l->ground, i, err))
            return false;
        int32_t cell = l->order[i], next = l->next[cell];
        if (next == cell)
            continue;
        l->carved[next] = least(l->carved[next], l->carved[cell] - 1);
        l->above[next] = largest(l->above[next], l->above[cell] + 1);
    }
    return true;
}

static bool check_ways(const struct levels *l, struct oro_error *err)
{
    size_t longest = 0;
    for (size_t i = 0; i < l->strips.cells; i++)
        longest = l->below[i] > l->below[longest] ? i : longest;
    if (l->below[longest] <= l->top)
        return true;
    return oro_fail(
        err, ORO_E_EVALUATE,
        "levels from 0 to %d are too few: the way of cell %zu, %zu to the border has %d cells, which "
        "all have to be lower than the one before",
        l->top, longest % l->strips.width, longest / l->strips.width, l->below[longest]);
}

static struct oro_drain_cost write_levels(const struct levels *l)
{
    struct oro_drain_cost cost = {0};
    for (size_t i = 0; i < l->strips.cells; i++) {
        /* Below 0, where it is not the floor, it is held to 0 or more. */
        int32_t mean = (int32_t)(((int64_t)l->carved[i] + l->raised[i]) / 2);
        float result = (float)largest(least(mean, l->top - l->above[i]), l->below[i]);
        add_cost(&cost, l->ground->z[i], result);
        l->out[i] = result;
    }
    return cost;
}

static bool drain(struct levels *l, struct oro_drain_cost *cost, struct oro_error *err)
{
    if (!flood(l, err) || !go_along(l, err) || !check_ways(l, err))
        return false;
    struct oro_drain_cost total = write_levels(l);
    if (cost)
        *cost = total;
    return true;
}

static bool make_room(struct levels *l)
{
    size_t queues = (size_t)l->top + 1;
    int32_t **const rooms[] = {&l->behind, &l->next, &l->order, &l->carved, &l->raised, &l->above};
    l->first = oro_alloc(queues, sizeof *l->first);
    l->last = oro_alloc(queues, sizeof *l->last);
    bool ok = l->first && l->last;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        *rooms[i] = oro_alloc(l->strips.cells, sizeof **rooms[i]);
        ok = ok && *rooms[i];
    }
    l->below = l->behind; /* which is no longer needed then */
    return ok;
}

bool oro_levels_drain(const struct oro_ground *ground, double top, float *out, struct oro_drain_cost *cost,
                      struct oro_error *err)
{
    if (!oro_ground_check(ground, err) || !check_levels(ground, top, err))
        return false;
    struct levels l = {.ground = ground,
                       .strips = oro_strips_of(ground->width, ground->height),
                       .out = out,
                       .top = (int32_t)top};
    bool ok = make_room(&l) ? drain(&l, cost, err) : oro_no_memory(ground, err);
    oro_free(l.first);
    oro_free(l.last);
    oro_free(l.behind);
    oro_free(l.next);
    oro_free(l.order);
    oro_free(l.carved);
    oro_free(l.raised);
    oro_free(l.above);
    return ok;
}
