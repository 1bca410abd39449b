/*
 * Step 3: gorges. The search for a minimum's saddle goes up its basin, as far as there may be a lower one
 * than the lowest so far; then its path is carved. Where paths meet, the lowest height and the largest weight
 * count, so the order of threads does not matter.
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "terrain/drainage/steps.h"
#include "terrain/hydrology/constraint_private.h"

enum { LEAST_MINIMA = 16 };  /* that are worth a thread */
#define NO_SADDLE UINT64_MAX /* greater than any key */

/* ---- Basins ---- */

static void label_cell(const struct oro_constraint_scratch *scratch, size_t cell)
{
    uint8_t direction = scratch->direction[cell];
    size_t next = cell + (size_t)scratch->offsets.to[direction];
    scratch->basin[cell] = direction == ORO_TO_OUTLET ? 0 : scratch->basin[next];
}

static void label_strip(void *user, size_t strip)
{
    const struct oro_constraint_scratch *scratch = ((const struct oro_constraint_erosion *)user)->scratch;
    const uint32_t *order = scratch->order + oro_strip_first(scratch->strips, strip);
    for (size_t i = scratch->placed[strip]; i-- > 0;)
        label_cell(scratch, order[i]);
}

static void label_basins(struct oro_constraint_erosion *run)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    for (size_t i = 0; i < scratch->minima_count; i++)
        scratch->basin[scratch->minima[i]] = (uint32_t)i + 1;
    for (size_t i = scratch->head_count; i-- > 0;)
        label_cell(scratch, scratch->head[i]);
    oro_constraint_strips(scratch->strips, label_strip, run);
}

/* ---- The saddle of a basin ---- */

struct saddle {
    const struct oro_constraint_erosion *run;
    uint32_t basin;
    int count;    /* of neighbours */
    uint64_t key; /* the level in the upper half, the number in the lower (basins_private.h) */
    size_t here, there;
    float length;
};

static const int all_neighbours[] = {1, 3, 4, 6, 0, 2, 5, 7}; /* the straight ones first */

static void offer(struct saddle *saddle, size_t cell, int k)
{
    const struct oro_constraint_scratch *scratch = saddle->run->scratch;
    size_t there = cell + (size_t)scratch->offsets.to[k];
    if (scratch->basin[there] == saddle->basin)
        return;
    /* Not total heights: the cell is above the sea, and so is the saddle. */
    const float *h = saddle->run->h;
    uint64_t level = oro_level_of(h[cell] > h[there] ? h[cell] : h[there]);
    size_t number = k < 4 ? 4 * there + (size_t)(3 - k) : 4 * cell + (size_t)(k - 4);
    uint64_t key = level << 32 | (uint32_t)number;
    if (key >= saddle->key)
        return;
    saddle->key = key;
    saddle->here = cell;
    saddle->there = there;
    saddle->length = k < 4 ? scratch->distance[3 - k][there] : scratch->distance[k - 4][cell];
}

/* Offers the saddles around a cell. False: upstream, where the ground is higher, there is no lower one. */
static bool look_around(struct saddle *saddle, size_t cell)
{
    const struct oro_strips strips = saddle->run->scratch->strips;
    if (oro_level_of(saddle->run->h[cell]) > saddle->key >> 32)
        return false;
    size_t x = (uint32_t)cell % (uint32_t)strips.width;
    for (int i = 0; i < saddle->count; i++)
        if (oro_has_neighbour(strips, cell, x, all_neighbours[i]))
            offer(saddle, cell, all_neighbours[i]);
    return true;
}

static int lowest_bit(unsigned bits)
{
    int k = 0;
    while (!(bits >> k & 1))
        k++;
    return k;
}

/* Goes up the basin from its minimum, each cell after its receiver, without a list of where to go on. */
static void find_saddle(struct saddle *saddle, size_t minimum)
{
    const struct oro_constraint_scratch *scratch = saddle->run->scratch;
    const ptrdiff_t *to = scratch->offsets.to;
    size_t cell = minimum;
    unsigned left = look_around(saddle, cell) ? scratch->upstream[cell] : 0;
    for (;;) {
        while (left) {
            cell += (size_t)to[lowest_bit(left)];
            left = look_around(saddle, cell) ? scratch->upstream[cell] : 0;
        }
        if (cell == minimum)
            return;
        unsigned from = 7u - scratch->direction[cell]; /* as the receiver numbers it */
        cell += (size_t)to[scratch->direction[cell]];
        left = scratch->upstream[cell] & (0xfeu << from);
    }
}

/* ---- The path ---- */

struct path {
    double whole;   /* length, in cells */
    float from, to; /* heights of its ends */
    float weight;
    const struct oro_constraint_erosion *fine; /* what is carved, if it is not the grid of the path */
};

static void take_lowest(float *height, float h)
{
    _Atomic float *lowest = (_Atomic float *)height;
    float now = atomic_load_explicit(lowest, memory_order_relaxed);
    while (h < now && !atomic_compare_exchange_weak_explicit(lowest, &now, h, memory_order_relaxed,
                                                             memory_order_relaxed))
        continue;
}

static void take_largest(float *weight, float w)
{
    _Atomic float *largest = (_Atomic float *)weight;
    float now = atomic_load_explicit(largest, memory_order_relaxed);
    while (w > now && !atomic_compare_exchange_weak_explicit(largest, &now, w, memory_order_relaxed,
                                                             memory_order_relaxed))
        continue;
}

static size_t receiver_of(const struct oro_constraint_scratch *scratch, size_t cell)
{
    return cell + (size_t)scratch->offsets.to[scratch->direction[cell]];
}

/* Carves a cell that is `s` of the path from its beginning. */
static void carve_cell(const struct oro_constraint_erosion *run, const struct path *path, size_t cell,
                       double s)
{
    float h = run->h[cell], t = (float)fmin(fmax(s / path->whole, 0), 1);
    float ideal = path->from * (1 - t) + path->to * t;
    if (h > ideal && h > run->params->sea_level)
        take_lowest(&run->scratch->carved[cell], h * (1 - path->weight) + ideal * path->weight);
    take_largest(&run->gorge[cell], path->weight);
}

/* The column, of so many, or the row that a place is in; the outermost for places outside. */
static int column_at(double place, int count)
{
    return place < 0 ? 0 : place < count ? (int)place : count - 1;
}

/* Carves the finer cells along the stretch between two neighbours, which are s and s_next of the path from
 * its beginning. */
static void carve_stretch(const struct oro_constraint_erosion *run, const struct path *path, size_t cell,
                          size_t next, double s, double s_next)
{
    const struct oro_constraint_erosion *fine = path->fine;
    size_t width = (size_t)run->width;
    double factor = fine->scale.factor, half = factor / 2;
    double x = ((double)(cell % width) + 0.5) * factor, y = ((double)(cell / width) + 0.5) * factor;
    double dx = ((double)(next % width) + 0.5) * factor - x, dy = ((double)(next / width) + 0.5) * factor - y;
    int west = column_at(fmin(x, x + dx) - half, fine->width);
    int east = column_at(fmax(x, x + dx) + half, fine->width);
    int north = column_at(fmin(y, y + dy) - half, fine->height);
    int south = column_at(fmax(y, y + dy) + half, fine->height);
    for (int row = north; row <= south; row++)
        for (int column = west; column <= east; column++) {
            double px = column + 0.5 - x, py = row + 0.5 - y;
            double t = fmin(fmax((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1);
            double away_x = px - t * dx, away_y = py - t * dy;
            if (away_x * away_x + away_y * away_y <= half * half)
                carve_cell(fine, path, (size_t)row * (size_t)fine->width + (size_t)column,
                           s + t * (s_next - s));
        }
}

/* Goes from a cell down to the end of its receivers. Returns the length. */
static double way_down(const struct oro_constraint_scratch *scratch, size_t cell, size_t *end)
{
    double length = 0;
    for (size_t next; (next = receiver_of(scratch, cell)) != cell; cell = next)
        length += (double)scratch->way[cell];
    *end = cell;
    return length;
}

/* Carves from a cell down. `s`: how far along the path the cell is; `forward`: 1 if s rises on the way down,
 * -1 if it falls. */
static void carve(const struct oro_constraint_erosion *run, const struct path *path, size_t cell, double s,
                  double forward)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    for (;;) {
        size_t next = receiver_of(scratch, cell);
        double s_next = s + forward * (double)scratch->way[cell];
        if (!path->fine)
            carve_cell(run, path, cell, s);
        else if (next != cell)
            carve_stretch(run, path, cell, next, s, s_next);
        if (next == cell)
            return;
        s = s_next;
        cell = next;
    }
}

static void carve_saddle(const struct oro_constraint_erosion *run, const struct saddle *saddle, float weight,
                         const struct oro_constraint_erosion *fine)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t minimum, end;
    double up = way_down(scratch, saddle->here, &minimum), over = (double)saddle->length;
    double down = way_down(scratch, saddle->there, &end);
    struct path path = {.whole = up + over + down, .from = run->h[minimum], .weight = weight, .fine = fine};
    path.to = oro_constraint_total(run, run->h[end]);
    if (scratch->direction[end] == ORO_TO_OUTLET && path.to > path.from)
        path.to = path.from;
    if (fine)
        carve_stretch(run, &path, saddle->here, saddle->there, up, up + over);
    carve(run, &path, saddle->here, up, -1);
    carve(run, &path, saddle->there, up + over, 1);
}

static float weight_of(const struct oro_constraint_params *params, float drainage)
{
    if (!(drainage > 0))
        return 0;
    float power = params->gorge_exponent == 1.0f ? drainage : powf(drainage, params->gorge_exponent);
    return fminf(params->gorge_strength * power, 1);
}

/* Of the grid of gorges. */
struct gorges {
    struct oro_constraint_erosion *run;
    const struct oro_constraint_erosion *fine; /* what is carved, if that is another grid */
};

static void carve_minima(void *user, size_t first, size_t end)
{
    const struct gorges *gorges = user;
    const struct oro_constraint_erosion *run = gorges->run;
    const struct oro_constraint_scratch *scratch = run->scratch;
    int count = run->params->neighbours == ORO_CONSTRAINT_NEIGHBOURS_4 ? 4 : 8;
    for (size_t i = first; i < end; i++) {
        struct saddle saddle = {.run = run, .basin = (uint32_t)i + 1, .count = count, .key = NO_SADDLE};
        float weight = weight_of(run->params, run->drainage[scratch->minima[i]]);
        if (!(weight > 0))
            continue;
        find_saddle(&saddle, scratch->minima[i]);
        if (saddle.key != NO_SADDLE)
            carve_saddle(run, &saddle, weight, gorges->fine);
    }
}

/* ---- The grid of gorges ---- */

/* The mean height of the cells of a wide one, and the rain in its middle. */
static void widen_cell(const struct oro_constraint_erosion *run, size_t x, size_t y)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t factor = (size_t)run->scale.factor, width = (size_t)run->width, height = (size_t)run->height;
    size_t first_row = y * factor, end_row = first_row + factor < height ? first_row + factor : height;
    size_t first = x * factor, end = first + factor < width ? first + factor : width;
    size_t wide = y * (size_t)scratch->wide->width + x;
    double sum = 0;
    for (size_t row = first_row; row < end_row; row++)
        for (size_t column = first; column < end; column++)
            sum += (double)run->h[row * width + column];
    scratch->wide->h[wide] = (float)(sum / (double)((end_row - first_row) * (end - first)));
    size_t middle = first_row + (factor - 1) / 2 < height ? first_row + (factor - 1) / 2 : height - 1;
    size_t centre = first + (factor - 1) / 2 < width ? first + (factor - 1) / 2 : width - 1;
    oro_constraint_values(&run->moisture, middle * width + centre, 1, &scratch->wide_rain[wide]);
}

static void widen_rows(void *user, size_t first, size_t end)
{
    const struct oro_constraint_erosion *run = user;
    for (size_t y = first; y < end; y++)
        for (size_t x = 0; x < (size_t)run->scratch->wide->width; x++)
            widen_cell(run, x, y);
}

static bool drain_wide(struct oro_constraint_erosion *run, struct oro_error *err)
{
    struct oro_constraint_erosion *wide = run->scratch->wide;
    oro_parallel((size_t)wide->height, 64, widen_rows, run);
    return oro_constraint_drain(wide, err);
}

/* ---- All of it ---- */

static void clear_strip(void *user, size_t strip)
{
    struct oro_constraint_erosion *run = user;
    struct oro_constraint_scratch *scratch = run->scratch;
    size_t first = oro_strip_first(scratch->strips, strip),
           count = oro_strip_end(scratch->strips, strip) - first;
    memset(run->gorge + first, 0, count * sizeof *run->gorge);
    memcpy(scratch->carved + first, run->h + first, count * sizeof *scratch->carved);
}

float *oro_constraint_gorges(struct oro_constraint_erosion *run, struct oro_error *err)
{
    struct oro_constraint_scratch *scratch = run->scratch;
    struct gorges gorges = {run, NULL};
    if (scratch->wide && run->params->gorge_strength > 0) {
        gorges = (struct gorges){scratch->wide, run};
        if (!drain_wide(run, err))
            return NULL;
    }
    size_t count = run->params->gorge_strength > 0 ? gorges.run->scratch->minima_count : 0;
    oro_constraint_strips(scratch->strips, clear_strip, run);
    if (!count)
        return run->h;
    label_basins(gorges.run);
    oro_parallel(count, LEAST_MINIMA, carve_minima, &gorges);
    return scratch->carved;
}
