/* Step 1: nodes off their cells' middles, and steepest receivers between them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "terrain/hydrology/constraint_private.h"

enum { COLUMNS = ORO_CONSTRAINT_COLUMNS };

/* ---- Nodes ---- */

/* The same as hash() of gles_shaders/lib/hash.glsl. */
static uint32_t hash(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

struct node {
    float x, y; /* from the cell's middle, in cells */
};

struct node_row {
    uint32_t hash; /* of the row and the seed */
    float amount;
};

static struct node_row row_of(const struct oro_constraint_params *params, size_t y)
{
    return (struct node_row){hash((uint32_t)y + hash((uint32_t)params->seed)), 0.7f * params->jitter};
}

static struct node node_of(struct node_row row, size_t x)
{
    uint32_t h = hash((uint32_t)x + row.hash);
    return (struct node){((float)(h & 0xffff) / 65536.0f - 0.5f) * row.amount,
                         ((float)(h >> 16) / 65536.0f - 0.5f) * row.amount};
}

static float between(struct node from, struct node to, float x, float y)
{
    float dx = x + (to.x - from.x), dy = y + (to.y - from.y);
    return sqrtf(dx * dx + dy * dy);
}

static void place_strip(void *user, size_t strip)
{
    struct oro_constraint_erosion *run = user;
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t width = scratch->strips.width, end = oro_strip_end(scratch->strips, strip);
    bool four = run->params->neighbours == ORO_CONSTRAINT_NEIGHBOURS_4;
    for (size_t cell = oro_strip_first(scratch->strips, strip); cell < end;) {
        struct node_row here = row_of(run->params, cell / width),
                        below = row_of(run->params, cell / width + 1);
        struct node node = node_of(here, 0), south = node_of(below, 0), west = south;
        for (size_t x = 0; x < width; x++, cell++) {
            struct node east = node_of(here, x + 1), south_east = node_of(below, x + 1);
            scratch->distance[0][cell] = between(node, east, 1, 0);
            scratch->distance[1][cell] = four ? INFINITY : between(node, west, -1, 1);
            scratch->distance[2][cell] = between(node, south, 0, 1);
            scratch->distance[3][cell] = four ? INFINITY : between(node, south_east, 1, 1);
            node = east;
            west = south;
            south = south_east;
        }
    }
}

void oro_constraint_place_nodes(struct oro_constraint_erosion *run)
{
    oro_constraint_strips(run->scratch->strips, place_strip, run);
}

/* ---- Receivers ---- */

/* Total heights of three rows with a cell on either side. Outside of the terrain they are infinite. */
struct window {
    float above[COLUMNS + 2], here[COLUMNS + 2], below[COLUMNS + 2];
};

static void load_row(const struct oro_constraint_erosion *run, size_t y, size_t first, size_t count,
                     float *row)
{
    size_t width = (size_t)run->width;
    if (y >= (size_t)run->height) { /* also above row 0 */
        for (size_t x = 0; x < count + 2; x++)
            row[x] = INFINITY;
        return;
    }
    const float *h = run->h + y * width + first;
    row[0] = first ? oro_constraint_total(run, h[-1]) : INFINITY;
    for (size_t x = 0; x < count; x++)
        row[x + 1] = oro_constraint_total(run, h[x]);
    row[count + 1] = first + count < width ? oro_constraint_total(run, h[count]) : INFINITY;
}

struct choice {
    float slope, way;
    int32_t direction;
};

/* Keeps the steeper of two ways down; written so that compilers make vectors of it. */
static inline void consider(struct choice *best, float here, float there, float way, int32_t k)
{
    float drop = here - there, ratio = drop / way, slope = drop < FLT_MIN ? 0.0f : ratio;
    bool steeper = slope > best->slope;
    best->direction = steeper ? k : best->direction;
    best->way = steeper ? way : best->way;
    best->slope = steeper ? slope : best->slope;
}

static void choose_row(const struct oro_constraint_scratch *scratch, const struct window *w, float sea,
                       size_t cell, size_t count)
{
    size_t width = scratch->strips.width;
    const float *east = scratch->distance[0] + cell, *south = scratch->distance[2] + cell;
    const float *south_west = scratch->distance[1] + cell, *south_east = scratch->distance[3] + cell;
    const float *north = south - width, *north_west = south_east - width - 1;
    const float *north_east = south_west - width + 1, *west = east - 1;
    float *restrict way = scratch->way + cell;
    int32_t direction[COLUMNS];
    for (size_t x = 0; x < count; x++) {
        float z = w->here[x + 1];
        struct choice best = {.slope = 0, .way = 1, .direction = ORO_TO_PIT};
        consider(&best, z, w->above[x], north_west[x], 0);
        consider(&best, z, w->above[x + 1], north[x], 1);
        consider(&best, z, w->above[x + 2], north_east[x], 2);
        consider(&best, z, w->here[x], west[x], 3);
        consider(&best, z, w->here[x + 2], east[x], 4);
        consider(&best, z, w->below[x], south_west[x], 5);
        consider(&best, z, w->below[x + 1], south[x], 6);
        consider(&best, z, w->below[x + 2], south_east[x], 7);
        direction[x] = z > sea ? best.direction : ORO_TO_OUTLET;
        way[x] = best.way;
    }
    for (size_t x = 0; x < count; x++)
        scratch->direction[cell + x] = (uint8_t)direction[x];
}

/* Goes down a strip, `count` columns wide. */
static void choose_piece(const struct oro_constraint_erosion *run, size_t first, size_t end, size_t count)
{
    struct window w;
    size_t width = run->scratch->strips.width, top = first / width, column = first % width;
    load_row(run, top - 1, column, count, w.here);
    load_row(run, top, column, count, w.below);
    for (size_t y = top; y * width < end; y++) {
        memcpy(w.above, w.here, (count + 2) * sizeof *w.above);
        memcpy(w.here, w.below, (count + 2) * sizeof *w.here);
        load_row(run, y + 1, column, count, w.below);
        choose_row(run->scratch, &w, run->params->sea_level, y * width + column, count);
    }
}

static void leave(uint8_t *direction)
{
    if (*direction == ORO_TO_PIT)
        *direction = ORO_TO_OUTLET;
}

/* Minima on the border are outlets. */
static void open_border(const struct oro_constraint_scratch *scratch, size_t first, size_t end)
{
    size_t width = scratch->strips.width;
    for (size_t row = first; row < end; row += width) {
        bool edge = row == 0 || row + width == scratch->strips.cells;
        for (size_t x = 0; x < width; x += edge || width == 1 ? 1 : width - 1)
            leave(scratch->direction + row + x);
    }
}

static void choose_strip(void *user, size_t strip)
{
    struct oro_constraint_erosion *run = user;
    struct oro_strips strips = run->scratch->strips;
    size_t first = oro_strip_first(strips, strip), end = oro_strip_end(strips, strip);
    for (size_t x = 0; x < strips.width; x += COLUMNS) {
        size_t left = strips.width - x;
        choose_piece(run, first + x, end, left < COLUMNS ? left : COLUMNS);
    }
    if (run->params->borders != ORO_CONSTRAINT_WALLS)
        open_border(run->scratch, first, end);
}

void oro_constraint_receivers(struct oro_constraint_erosion *run)
{
    oro_constraint_strips(run->scratch->strips, choose_strip, run);
}
