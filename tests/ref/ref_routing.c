/* Exact drainage. */
#include "tests/ref/ref_routing.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t cells_of(const struct ref_routing *r)
{
    return (size_t)r->width * (size_t)r->height;
}

/* An oracle without an answer is of no use to a test. */
static void *room(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static float plain(float z)
{
    return fabsf(z) < FLT_MIN ? 0.0f : z;
}

bool ref_outlet(const struct ref_routing *r, size_t cell)
{
    int x = (int)(cell % (size_t)r->width), y = (int)(cell / (size_t)r->width);
    if (r->sea && r->sea[cell] > 0.5f)
        return true;
    return !r->walls && (x == 0 || y == 0 || x == r->width - 1 || y == r->height - 1);
}

/* Neighbour 0..7, row by row; false outside the grid. */
static bool neighbour(const struct ref_routing *r, size_t cell, int k, size_t *there)
{
    static const int dx[] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    int x = (int)(cell % (size_t)r->width) + dx[k], y = (int)(cell / (size_t)r->width) + dy[k];
    *there = (size_t)y * (size_t)r->width + (size_t)x;
    return x >= 0 && x < r->width && y >= 0 && y < r->height;
}

/* The difference of heights, scaled on a diagonal. */
static float slope(const float *z, size_t from, size_t to, int k)
{
    float drop = plain(z[from]) - plain(z[to]);
    if (drop < FLT_MIN)
        return 0;
    return k == 0 || k == 2 || k == 5 || k == 7 ? drop * 0.70710678f : drop;
}

static size_t steepest_from(const struct ref_routing *r, size_t cell)
{
    size_t best = cell, there;
    float most = 0;
    for (int k = 0; k < 8; k++)
        if (neighbour(r, cell, k, &there) && slope(r->z, cell, there, k) > most) {
            most = slope(r->z, cell, there, k);
            best = there;
        }
    return best;
}

size_t ref_steepest(const struct ref_routing *r)
{
    size_t pits = 0;
    for (size_t i = 0; i < cells_of(r); i++) {
        bool outlet = ref_outlet(r, i);
        r->receiver[i] = (uint32_t)(outlet ? i : steepest_from(r, i));
        pits += !outlet && r->receiver[i] == i;
    }
    return pits;
}

size_t ref_undrained(const struct ref_routing *r, const float *z)
{
    size_t undrained = 0;
    struct ref_routing changed = *r;
    changed.z = z;
    for (size_t i = 0; i < cells_of(r); i++)
        undrained += !ref_outlet(r, i) && steepest_from(&changed, i) == i;
    return undrained;
}

/* ---- The spanning tree ---- */

struct saddle {
    float level;
    uint32_t number, from, to;
};

static int compare_saddles(const void *a, const void *b)
{
    const struct saddle *p = a, *q = b;
    if (p->level < q->level || p->level > q->level)
        return p->level < q->level ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static uint32_t find(uint32_t *set, uint32_t i)
{
    while (set[i] != i) {
        set[i] = set[set[i]];
        i = set[i];
    }
    return i;
}

/* The pit below each cell; for all cells that drain to outlets, the number of cells stands for the outside.
 */
static void find_basins(const struct ref_routing *r, uint32_t *basin)
{
    for (size_t i = 0; i < cells_of(r); i++) {
        size_t cell = i;
        while (r->receiver[cell] != cell)
            cell = r->receiver[cell];
        basin[i] = (uint32_t)(ref_outlet(r, cell) ? cells_of(r) : cell);
    }
}

static size_t list_saddles(const struct ref_routing *r, const uint32_t *basin, struct saddle *saddles)
{
    static const int forward[] = {4, 5, 6, 7}; /* east, south-west, south, south-east */
    size_t count = 0, there;
    for (size_t i = 0; i < cells_of(r); i++)
        for (uint32_t d = 0; d < 4; d++)
            if (neighbour(r, i, forward[d], &there) && basin[there] != basin[i])
                saddles[count++] = (struct saddle){.level = fmaxf(plain(r->z[i]), plain(r->z[there])),
                                                   .number = 4 * (uint32_t)i + d,
                                                   .from = (uint32_t)i,
                                                   .to = (uint32_t)there};
    qsort(saddles, count, sizeof *saddles, compare_saddles);
    return count;
}

/* Kruskal: keeps the saddles that join separate basins. */
static size_t keep_spanning_tree(size_t cells, const uint32_t *basin, struct saddle *saddles, size_t count)
{
    uint32_t *set = room(cells + 1, sizeof *set);
    size_t kept = 0;
    for (size_t i = 0; i <= cells; i++)
        set[i] = (uint32_t)i;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = find(set, basin[saddles[i].from]), b = find(set, basin[saddles[i].to]);
        if (a == b)
            continue;
        set[a] = b;
        saddles[kept++] = saddles[i];
    }
    free(set);
    return kept;
}

/* Turns the receivers from `from` down to its pit, and sends `from` to `to`. */
static void turn(const struct ref_routing *r, uint32_t from, uint32_t to)
{
    for (uint32_t cell = from, next;; cell = next) {
        next = r->receiver[cell];
        r->receiver[cell] = to;
        to = cell;
        if (next == cell)
            return;
    }
}

/* Basins join the drained ones over the saddles of the spanning tree, in the order in which they are reached
 * from the outside. `ways` is a list per basin of the saddles at it. */
static void root_basins(const struct ref_routing *r, const uint32_t *basin, const struct saddle *saddles,
                        size_t count)
{
    size_t cells = cells_of(r), first = 0, end = 1;
    uint32_t *start = room(cells + 3, sizeof *start), *way = room(2 * count, sizeof *way);
    uint32_t *queue = room(cells + 1, sizeof *queue);
    bool *reached = room(cells + 1, sizeof *reached);
    for (size_t i = 0; i < count; i++) {
        start[basin[saddles[i].from] + 2]++;
        start[basin[saddles[i].to] + 2]++;
    }
    for (size_t b = 2; b < cells + 3; b++)
        start[b] += start[b - 1];
    for (size_t i = 0; i < count; i++) {
        way[start[basin[saddles[i].from] + 1]++] = (uint32_t)i;
        way[start[basin[saddles[i].to] + 1]++] = (uint32_t)i;
    }
    queue[0] = (uint32_t)cells;
    reached[cells] = true;
    for (; first < end; first++)
        for (uint32_t w = start[queue[first]]; w < start[queue[first] + 1]; w++) {
            struct saddle p = saddles[way[w]];
            uint32_t here = basin[p.from] == queue[first] ? p.from : p.to, there = p.from + p.to - here;
            if (reached[basin[there]])
                continue;
            reached[basin[there]] = true;
            queue[end++] = basin[there];
            turn(r, there, here);
        }
    free(start);
    free(way);
    free(queue);
    free(reached);
}

size_t ref_route(const struct ref_routing *r)
{
    size_t pits = ref_steepest(r), cells = cells_of(r), count;
    uint32_t *basin = room(cells, sizeof *basin);
    struct saddle *saddles = room(4 * cells, sizeof *saddles);
    find_basins(r, basin);
    count = list_saddles(r, basin, saddles);
    root_basins(r, basin, saddles, keep_spanning_tree(cells, basin, saddles, count));
    free(saddles);
    free(basin);
    return pits;
}

/* ---- Priority flood ---- */

struct heap {
    const float *level;
    uint32_t *cell;
    size_t count;
};

static void push(struct heap *heap, uint32_t cell)
{
    size_t i = heap->count++;
    for (; i && heap->level[heap->cell[(i - 1) / 2]] > heap->level[cell]; i = (i - 1) / 2)
        heap->cell[i] = heap->cell[(i - 1) / 2];
    heap->cell[i] = cell;
}

static uint32_t pop(struct heap *heap)
{
    uint32_t top = heap->cell[0], last = heap->cell[--heap->count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < heap->count) {
        if (child + 1 < heap->count && heap->level[heap->cell[child + 1]] < heap->level[heap->cell[child]])
            child++;
        if (heap->level[heap->cell[child]] >= heap->level[last])
            break;
        heap->cell[i] = heap->cell[child];
        i = child;
    }
    heap->cell[i] = last;
    return top;
}

void ref_flood_levels(const struct ref_routing *r, float *level)
{
    size_t cells = cells_of(r), there;
    struct heap heap = {.level = level, .cell = room(cells, sizeof *heap.cell)};
    bool *seen = room(cells, sizeof *seen);
    for (size_t i = 0; i < cells; i++) {
        level[i] = plain(r->z[i]);
        seen[i] = ref_outlet(r, i);
        if (seen[i])
            push(&heap, (uint32_t)i);
    }
    while (heap.count) {
        uint32_t cell = pop(&heap);
        for (int k = 0; k < 8; k++) {
            if (!neighbour(r, cell, k, &there) || seen[there])
                continue;
            seen[there] = true;
            level[there] = fmaxf(level[there], level[cell]);
            push(&heap, (uint32_t)there);
        }
    }
    free(heap.cell);
    free(seen);
}

/* ---- Along the receivers ---- */

bool ref_order(const struct ref_routing *r, uint32_t *order)
{
    size_t cells = cells_of(r), placed = cells, depth;
    uint32_t *donors = room(cells, sizeof *donors), *stack = room(cells, sizeof *stack);
    for (size_t i = 0; i < cells; i++)
        donors[r->receiver[i]] += r->receiver[i] != i;
    depth = 0;
    for (size_t i = 0; i < cells; i++)
        if (!donors[i])
            stack[depth++] = (uint32_t)i;
    while (depth) {
        uint32_t cell = stack[--depth], next = r->receiver[cell];
        order[--placed] = cell;
        if (next != cell && --donors[next] == 0)
            stack[depth++] = next;
    }
    free(donors);
    free(stack);
    return placed == 0;
}

static uint32_t *ordered(const struct ref_routing *r)
{
    uint32_t *order = room(cells_of(r), sizeof *order);
    if (!ref_order(r, order))
        abort();
    return order;
}

void ref_cells(const struct ref_routing *r, uint32_t *cells)
{
    uint32_t *order = ordered(r);
    for (size_t i = 0; i < cells_of(r); i++)
        cells[i] = 1;
    for (size_t i = cells_of(r); i-- > 0;)
        if (r->receiver[order[i]] != order[i])
            cells[r->receiver[order[i]]] += cells[order[i]];
    free(order);
}

void ref_rain(const struct ref_routing *r, const float *rain, uint64_t *sum)
{
    uint32_t *order = ordered(r);
    for (size_t i = 0; i < cells_of(r); i++) {
        float held = rain[i] > 0 ? fminf(rain[i], 1000) : 0;
        sum[i] = (uint64_t)floorf(held * 1048576.0f + 0.5f);
    }
    for (size_t i = cells_of(r); i-- > 0;)
        if (r->receiver[order[i]] != order[i])
            sum[r->receiver[order[i]]] += sum[order[i]];
    free(order);
}

void ref_area(const struct ref_routing *r, double cell, const float *rain, float *area)
{
    size_t cells = cells_of(r);
    float square = (float)cell * (float)cell;
    uint32_t *count = room(cells, sizeof *count);
    uint64_t *sum = room(cells, sizeof *sum);
    if (rain)
        ref_rain(r, rain, sum);
    else
        ref_cells(r, count);
    for (size_t i = 0; i < cells; i++) {
        float whole = (float)(uint32_t)(sum[i] >> 32) * 4096.0f;
        float fraction = (float)(uint32_t)(sum[i] & UINT32_MAX) / 1048576.0f;
        float amount = rain ? whole + fraction : (float)count[i];
        area[i] = amount * square;
    }
    free(count);
    free(sum);
}

uint32_t ref_watersheds(const struct ref_routing *r, uint32_t *watershed)
{
    uint32_t count = 0;
    for (size_t i = 0; i < cells_of(r); i++)
        if (r->receiver[i] == i)
            watershed[i] = ++count;
    for (size_t i = 0; i < cells_of(r); i++) {
        size_t cell = i;
        while (r->receiver[cell] != cell)
            cell = r->receiver[cell];
        watershed[i] = watershed[cell];
    }
    return count;
}

/* The first dry cell on the way down. */
static size_t spill(const struct ref_routing *r, const float *level, size_t cell)
{
    while (level[cell] > plain(r->z[cell]))
        cell = r->receiver[cell];
    return cell;
}

uint32_t ref_lakes(const struct ref_routing *r, const float *level, uint32_t *lake)
{
    size_t cells = cells_of(r);
    uint32_t count = 0, *number = room(cells, sizeof *number);
    for (size_t i = 0; i < cells; i++)
        number[spill(r, level, i)] |= spill(r, level, i) != i;
    for (size_t i = 0; i < cells; i++)
        if (number[i])
            number[i] = ++count;
    for (size_t i = 0; i < cells; i++)
        lake[i] = spill(r, level, i) != i ? number[spill(r, level, i)] : 0;
    free(number);
    return count;
}

/* ---- Steps: 2^23 of them up to 8, and to every power of two from there ---- */

int64_t ref_step_of(float z)
{
    int exponent;
    double size = (double)fabsf(plain(z)), mantissa = frexp(size, &exponent);
    if (size < 8)
        return (int64_t)floor((double)plain(z) * 1048576);
    int64_t step = (int64_t)(mantissa * 16777216) + (int64_t)(exponent - 4) * 8388608;
    return z < 0 ? -step : step;
}

float ref_step_height(int64_t step)
{
    int64_t size = step < 0 ? -step : step, above = size - 8388608;
    double height = (double)size / 1048576;
    if (above > 0)
        height = ldexp((double)(8388608 + above % 8388608), (int)(above / 8388608) - 20);
    return (float)(step < 0 ? -height : height);
}

static const int64_t highest_step = 1056964607;

static void lower_ways(const struct ref_routing *r, const uint32_t *order, int64_t *lowest)
{
    for (size_t i = cells_of(r); i-- > 0;) {
        uint32_t cell = order[i], next = r->receiver[cell];
        if (next != cell && lowest[cell] - 1 < lowest[next])
            lowest[next] = lowest[cell] - 1;
    }
}

/* What channels lose on the way to the outlet, and how low that is. */
struct ref_way {
    float drop, base;
};

static struct ref_way way_of(const struct ref_routing *r, const int64_t *lowest, float fall, size_t cell)
{
    size_t next, width = (size_t)r->width, twelfths = 0;
    for (; (next = r->receiver[cell]) != cell; cell = next)
        twelfths += cell % width != next % width && cell / width != next / width ? 17 : 12;
    return (struct ref_way){fall / 12.0f * (float)twelfths, ref_step_height(lowest[cell])};
}

/* What a height leaves above the least fall; or, less than 0, the share of the fall that is missing, in
 * 2^-24. */
static double grade_of(float z, const struct ref_way *way)
{
    float above = plain(z) - way->base;
    if (above >= way->drop)
        return (double)(above - way->drop);
    double share = ceil(16777216.0 * (double)above / (double)way->drop);
    return (share > 0 ? share : 0) / 16777216.0 - 1;
}

static float height_of(double grade, const struct ref_way *way)
{
    float rise = grade < 0 ? (float)(grade + 1) * way->drop : way->drop;
    return way->base + rise + (grade > 0 ? (float)grade : 0);
}

/* Follows each channel, one after the other. */
static void lower_by_gradient(const struct ref_routing *r, float fall, int64_t *lowest)
{
    size_t cells = cells_of(r);
    struct ref_way *ways = room(cells, sizeof *ways);
    double *grade = room(cells, sizeof *grade);
    for (size_t i = 0; i < cells; i++) {
        ways[i] = way_of(r, lowest, fall, i);
        grade[i] = INFINITY;
    }
    for (size_t i = 0; i < cells; i++) {
        size_t cell = i, next = r->receiver[i];
        if (ways[i].base < -1e30f || next == i || lowest[next] != lowest[i] - 1 ||
            lowest[next] >= ref_step_of(r->z[next]))
            continue;
        double own = grade_of(ref_step_height(lowest[i]), &ways[i]);
        for (; own < grade[cell]; cell = r->receiver[cell]) {
            grade[cell] = own;
            if (own > grade_of(r->z[cell], &ways[cell]))
                break;
        }
    }
    for (size_t i = 0; i < cells; i++) {
        int64_t step = lowest[i];
        if (grade[i] < grade_of(r->z[i], &ways[i]))
            step = ref_step_of(height_of(grade[i], &ways[i]));
        lowest[i] = step < lowest[i] ? step : lowest[i];
    }
    free(ways);
    free(grade);
}

bool ref_breach(const struct ref_routing *r, float fall, float *out)
{
    size_t cells = cells_of(r);
    uint32_t *order = ordered(r);
    int64_t *lowest = room(cells, sizeof *lowest);
    bool deep_enough = true;
    for (size_t i = 0; i < cells; i++)
        lowest[i] = ref_step_of(r->z[i]);
    lower_ways(r, order, lowest);
    for (size_t i = 0; i < cells; i++)
        deep_enough = deep_enough && lowest[i] >= -highest_step;
    if (deep_enough && fall > 0) {
        lower_by_gradient(r, fall, lowest);
        lower_ways(r, order, lowest);
    }
    for (size_t i = 0; i < cells; i++)
        out[i] = lowest[i] < ref_step_of(r->z[i]) && deep_enough ? ref_step_height(lowest[i]) : r->z[i];
    free(order);
    free(lowest);
    return deep_enough;
}

static bool fill_sloped(const struct ref_routing *r, float *out)
{
    size_t cells = cells_of(r);
    uint32_t *order = ordered(r);
    int64_t *highest = room(cells, sizeof *highest);
    bool high_enough = true;
    for (size_t i = 0; i < cells; i++) {
        uint32_t cell = order[i], next = r->receiver[cell];
        int64_t own = ref_step_of(r->z[cell]);
        if (ref_step_height(own) < plain(r->z[cell]))
            own++;
        highest[cell] = next != cell && highest[next] + 1 > own ? highest[next] + 1 : own;
        high_enough = high_enough && highest[cell] <= highest_step;
        out[cell] = highest[cell] > own && high_enough ? ref_step_height(highest[cell]) : r->z[cell];
    }
    free(order);
    free(highest);
    return high_enough;
}

bool ref_fill(const struct ref_routing *r, bool sloped, float *out)
{
    if (sloped)
        return fill_sloped(r, out);
    float *level = room(cells_of(r), sizeof *level);
    ref_flood_levels(r, level);
    for (size_t i = 0; i < cells_of(r); i++)
        out[i] = level[i] > plain(r->z[i]) ? level[i] : r->z[i];
    free(level);
    return true;
}
