/* Draining in integer levels. */
#include <math.h>

#include "base/memory.h"
#include "hydrology/drain_private.h"
#include "hydrology/routing_private.h"

#define TOP_MAX 16777216.0 /* whole numbers are exact in float up to here */
#define NONE (-1)

/* The flood has a queue for every level, first in, first out. Its order is one where each cell comes after
 * the next one on its way out. */
struct levels {
    size_t width, cells;
    float *level;
    int32_t top;
    int32_t *first, *last; /* of every queue */
    int32_t *behind;       /* of every cell: the next in its queue */
    int32_t *next;         /* of every cell: the next on its way out, itself at the border; NONE: not met */
    int32_t *order;        /* cells */
    int32_t *carved, *raised; /* C, R of drain.h */
    int32_t *below, *above;   /* cells to the border; of the longest way from upstream */
};

static int32_t largest(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool check_levels(const struct levels *l, double top, struct oro_error *err)
{
    if (!(top >= 0 && top <= TOP_MAX && floor(top) == top))
        return oro_fail(err, ORO_E_EVALUATE, "levels end at a whole number up to %.0f, not at %g", TOP_MAX,
                        top);
    for (size_t i = 0; i < l->cells; i++)
        if (!(l->level[i] >= 0 && (double)l->level[i] <= top && floorf(l->level[i]) == l->level[i]))
            return oro_fail(err, ORO_E_EVALUATE,
                            "%g, at cell %zu, %zu, is not a level: they are whole numbers from 0 to %.0f",
                            (double)l->level[i], i % l->width, i / l->width, top);
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

static void put_border(struct levels *l)
{
    for (size_t i = 0; i < l->cells; i++) {
        size_t x = i % l->width;
        bool border = x == 0 || x == l->width - 1 || i < l->width || i + l->width >= l->cells;
        l->next[i] = NONE;
        if (border)
            put(l, (int32_t)l->level[i], i, i);
    }
}

static void put_neighbours(struct levels *l, struct oro_offsets offsets, int32_t queue, size_t cell)
{
    size_t x = cell % l->width;
    for (int k = 0; k < 8; k++) {
        bool west = k == 0 || k == 3 || k == 5, east = k == 2 || k == 4 || k == 7;
        if ((west && x == 0) || (east && x == l->width - 1) || (k < 3 && cell < l->width) ||
            (k > 4 && cell + l->width >= l->cells))
            continue;
        size_t there = cell + (size_t)offsets.to[k];
        if (l->next[there] == NONE)
            put(l, largest((int32_t)l->level[there], queue), there, cell);
    }
}

static void flood(struct levels *l)
{
    struct oro_offsets offsets = oro_offsets_of((int)l->width);
    size_t count = 0;
    for (int32_t queue = 0; queue <= l->top; queue++)
        l->first[queue] = NONE;
    put_border(l);
    for (int32_t queue = 0; queue <= l->top; queue++)
        for (int32_t cell; (cell = l->first[queue]) != NONE; l->first[queue] = l->behind[cell]) {
            l->order[count++] = cell;
            put_neighbours(l, offsets, queue, (size_t)cell);
        }
}

/* ---- Along the ways ---- */

static void go_along(struct levels *l)
{
    for (size_t i = 0; i < l->cells; i++) {
        int32_t cell = l->order[i], next = l->next[cell];
        int32_t own = (int32_t)l->level[cell];
        l->below[cell] = next == cell ? 0 : l->below[next] + 1;
        l->raised[cell] = next == cell ? own : largest(own, l->raised[next] + 1);
        l->carved[cell] = own;
        l->above[cell] = 0;
    }
    for (size_t i = l->cells; i-- > 0;) {
        int32_t cell = l->order[i], next = l->next[cell];
        if (next == cell)
            continue;
        l->carved[next] = least(l->carved[next], l->carved[cell] - 1);
        l->above[next] = largest(l->above[next], l->above[cell] + 1);
    }
}

static bool check_ways(const struct levels *l, struct oro_error *err)
{
    size_t longest = 0;
    for (size_t i = 0; i < l->cells; i++)
        longest = l->below[i] > l->below[longest] ? i : longest;
    if (l->below[longest] <= l->top)
        return true;
    return oro_fail(
        err, ORO_E_EVALUATE,
        "levels from 0 to %d are too few: the way of cell %zu, %zu to the border has %d cells, which "
        "all have to be lower than the one before",
        l->top, longest % l->width, longest / l->width, l->below[longest]);
}

static struct oro_drain_cost write_levels(const struct levels *l)
{
    struct oro_drain_cost cost = {0};
    for (size_t i = 0; i < l->cells; i++) {
        /* Below 0, where it is not the floor, it is held to 0 or more. */
        int32_t mean = (int32_t)(((int64_t)l->carved[i] + l->raised[i]) / 2);
        float result = (float)largest(least(mean, l->top - l->above[i]), l->below[i]);
        oro_drain_cost_add(&cost, l->level[i], result);
        l->level[i] = result;
    }
    return cost;
}

static bool drain(struct levels *l, struct oro_drain_cost *cost, struct oro_error *err)
{
    flood(l);
    go_along(l);
    if (!check_ways(l, err))
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
        *rooms[i] = oro_alloc(l->cells, sizeof **rooms[i]);
        ok = ok && *rooms[i];
    }
    l->below = l->behind; /* which is no longer needed then */
    return ok;
}

static void free_room(struct levels *l)
{
    oro_free(l->first);
    oro_free(l->last);
    oro_free(l->behind);
    oro_free(l->next);
    oro_free(l->order);
    oro_free(l->carved);
    oro_free(l->raised);
    oro_free(l->above);
}

bool oro_levels_drain(int width, int height, float *levels, double top, struct oro_drain_cost *cost,
                      struct oro_error *err)
{
    if (width < 1 || height < 1)
        return oro_fail(err, ORO_E_EVALUATE, "a terrain without cells cannot be drained");
    struct levels l = {.width = (size_t)width, .cells = (size_t)width * (size_t)height, .level = levels};
    if (l.cells > ORO_GROUND_CELLS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "%d x %d cells are more than the %zu that can be drained at once",
                        width, height, ORO_GROUND_CELLS_MAX);
    if (!check_levels(&l, top, err))
        return false;
    l.top = (int32_t)top;
    bool ok = make_room(&l) ? drain(&l, cost, err)
                            : oro_fail(err, ORO_E_MEMORY, "no memory to drain %d x %d levels", width, height);
    free_room(&l);
    return ok;
}
