#include "nodes/erosion/stream_power_paths.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const float seen_to = 0.15F, barred = 0.4F; /* radii */

bool oro_flow_paths_begin(struct oro_flow_paths *w, size_t cells)
{
    w->receiver = oro_alloc(cells, sizeof *w->receiver);
    w->cost = oro_alloc(cells, sizeof *w->cost);
    w->from = oro_alloc(cells, sizeof *w->from);
    w->search = oro_alloc(cells, sizeof *w->search);
    w->walked = oro_alloc(cells, sizeof *w->walked);
    return w->receiver && w->cost && w->from && w->search && w->walked;
}

void oro_flow_paths_end(struct oro_flow_paths *w)
{
    oro_free(w->receiver);
    oro_free(w->cells);
    oro_free(w->cost);
    oro_free(w->from);
    oro_free(w->search);
    oro_free(w->walked);
    oro_free(w->waiting.keys);
}

/* ---- What lies on a flow path ---- */

/* Of the other constraints that reach a cell: how near, in radii, is the nearest that is to lie higher, and
 * the nearest of the others. */
struct around {
    float higher, lower;
    float metres; /* to the nearest of all */
};

static struct around look_around(const struct oro_flow_paths *w, int i, uint32_t cell)
{
    const struct oro_stream_power_constraints *c = w->constraints;
    size_t width = (size_t)w->ground->width,
           columns = (width + ORO_CONSTRAINT_BLOCK - 1) / ORO_CONSTRAINT_BLOCK;
    size_t column = cell % width, row = cell / width;
    size_t block = row / ORO_CONSTRAINT_BLOCK * columns + column / ORO_CONSTRAINT_BLOCK;
    float x = (float)(((double)column + 0.5) * w->cell), y = (float)(((double)row + 0.5) * w->cell);
    struct around found = {INFINITY, INFINITY, INFINITY};
    for (uint32_t k = c->lists[block]; k < c->lists[block + 1]; k++) {
        const struct oro_constraint_point *p = &c->points[c->lists[k]];
        float metres = hypotf(p->x - x, p->y - y), distance = metres / p->radius;
        if (p->controller < 0 || (int)p->controller == i || distance >= 1)
            continue;
        float *nearest = p->elevation > c->points[i].elevation ? &found.higher : &found.lower;
        *nearest = fminf(*nearest, distance);
        found.metres = fminf(found.metres, metres);
    }
    return found;
}

float oro_flow_paths_clearance(const struct oro_flow_paths *w, int i, uint32_t cell)
{
    return look_around(w, i, cell).metres;
}

/* Goes on to the receiver. False: the path ends here. */
static bool step(const struct oro_flow_paths *w, int i, uint32_t *cell, bool *is_barred)
{
    struct around around = look_around(w, i, *cell);
    *is_barred = around.higher < barred;
    if (*is_barred || around.lower < seen_to || oro_ground_is_outlet(w->ground, *cell) ||
        w->receiver[*cell] == *cell)
        return false;
    *cell = w->receiver[*cell];
    return true;
}

/* Whether the receivers lead past those that lie higher. Within a search the first cell of which that is so
 * ends it; so a walk that comes upon the cells of another one leads to the same end. */
static bool is_free_below(struct oro_flow_paths *w, int i, uint32_t cell)
{
    bool is_barred = false;
    do {
        if (w->walked[cell] == w->searches)
            return false;
        w->walked[cell] = w->searches;
    } while (step(w, i, &cell, &is_barred));
    return !is_barred;
}

static bool add(struct oro_flow_paths *w, uint32_t cell)
{
    void *cells = w->cells;
    bool ok = oro_reserve(&cells, &w->capacity, w->count + 1, sizeof *w->cells);
    w->cells = cells;
    if (ok)
        w->cells[w->count++] = cell;
    return ok;
}

/* ---- The search: Dijkstra's ---- */

static bool push(struct oro_flow_paths *w, float cost, uint32_t cell)
{
    uint32_t bits;
    memcpy(&bits, &cost, sizeof bits); /* of floats >= 0 they have the same order */
    return oro_heap_put(&w->waiting, (uint64_t)bits << 32 | cell);
}

/* Of a metre of the path at a cell, in metres: there is ground to dig, and ground that others raise. */
static float cost_at(const struct oro_flow_paths *w, int i, uint32_t cell)
{
    const struct oro_constraint_point *p = &w->constraints->points[i];
    float higher = look_around(w, i, cell).higher, digging = fmaxf(w->z[cell] - p->elevation, 0) / p->scale;
    float in_reach = higher < 1 ? (1 - higher) * (1 - higher) : 0;
    return 0.02F + digging + 3 * in_reach + (higher < barred ? 100.0F : 0);
}

static bool reach_neighbours(struct oro_flow_paths *w, int i, uint32_t cell)
{
    int width = w->ground->width, height = w->ground->height;
    int x = (int)(cell % (uint32_t)width), y = (int)(cell / (uint32_t)width);
    for (int k = 0; k < 9; k++) {
        int column = x + k % 3 - 1, row = y + k / 3 - 1;
        if (k == 4 || column < 0 || row < 0 || column >= width || row >= height)
            continue;
        uint32_t to = (uint32_t)row * (uint32_t)width + (uint32_t)column;
        float length = k % 2 ? 1 : 1.41421356F, cost = w->cost[cell] + length * cost_at(w, i, to);
        if (w->search[to] == w->searches && w->cost[to] <= cost)
            continue;
        w->search[to] = w->searches;
        w->cost[to] = cost;
        w->from[to] = cell;
        if (!push(w, cost, to))
            return false;
    }
    return true;
}

/* Adds the path from the first cell, without it, to the last. */
static bool add_back(struct oro_flow_paths *w, uint32_t first, uint32_t last)
{
    size_t start = w->count;
    for (uint32_t cell = last; cell != first; cell = w->from[cell])
        if (!add(w, cell))
            return false;
    for (size_t a = start, b = w->count; a + 1 < b; a++) {
        uint32_t cell = w->cells[a];
        w->cells[a] = w->cells[--b];
        w->cells[b] = cell;
    }
    return true;
}

/* The path from `first` to a cell from which the receivers lead past those that lie higher. `last`: that
 * cell.
 */
static bool go_around(struct oro_flow_paths *w, int i, uint32_t first, uint32_t *last)
{
    w->waiting.count = 0;
    w->cost[first] = 0;
    w->search[first] = w->searches;
    *last = first;
    bool ok = push(w, 0, first);
    while (ok && w->waiting.count > 0) {
        uint32_t cell = (uint32_t)oro_heap_take(&w->waiting);
        if (is_free_below(w, i, cell)) {
            *last = cell;
            return add_back(w, first, cell);
        }
        ok = reach_neighbours(w, i, cell);
    }
    return ok;
}

bool oro_flow_paths_find(struct oro_flow_paths *w, int i)
{
    const struct oro_constraint_point *p = &w->constraints->points[i];
    uint32_t first = (uint32_t)p->row * (uint32_t)w->ground->width + (uint32_t)p->column, last = first;
    bool is_barred = false, ok = true;
    w->count = 0;
    w->searches++;
    if (!is_free_below(w, i, first))
        ok = go_around(w, i, first, &last);
    while (ok && step(w, i, &last, &is_barred))
        ok = add(w, last);
    return ok;
}
