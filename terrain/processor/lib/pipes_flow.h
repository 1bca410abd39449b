/* Water in pipes, with the sediment that goes with it (Jako 2011, eq. 1 to 7, 15):
 * gles_shaders/lib/pipes_flow.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PIPES_FLOW_H
#define ORO_TERRAIN_PROCESSOR_LIB_PIPES_FLOW_H

#include "terrain/processor/lib/border.h"
#include "terrain/processor/lib/pipes_patch.h"

/* ---- Surfaces ---- */

ORO_INLINE float oro_pipes_ground_at_start(const struct oro_pipes *k, int x, int y)
{
    x = x < 0 ? 0 : x < k->grid.width ? x : k->grid.width - 1;
    y = y < 0 ? 0 : y < k->grid.height ? y : k->grid.height - 1;
    size_t at = (size_t)y * (size_t)k->grid.width + (size_t)x;
    return k->terrain ? k->terrain[at] : oro_of_bits(k->fallen[ORO_FALLEN_WORDS * at + ORO_FALLEN_GROUND]);
}

/* How high the surface is that water leaves to from a cell outside, (dx, dy) from the edge: the base level,
 * or the sea. */
static inline int32_t oro_pipes_level_beyond(const struct oro_pipes *k, int x, int y, int dx, int dy)
{
    float ground[3];
    for (int i = 0; i < 3; i++)
        ground[i] = oro_pipes_ground_at_start(k, x - (i + 1) * dx, y - (i + 1) * dy);
    int32_t beyond =
        oro_elevation_steps(oro_ground_beyond(ground[0], ground[1], ground[2], k->grid.cell), k->metre);
    return k->borders == ORO_PIPES_SEA_LEVEL && k->sea > beyond ? k->sea : beyond;
}

/* A cell outside. Water comes in from it where the sea stands above the ground. */
ORO_INLINE void oro_pipes_set_outside(const struct oro_pipes *k, const struct oro_tile *tile, int y, int x,
                                      struct oro_pipes_rows *t)
{
    int row = y & 3, at = x + ORO_PIPES_FIRST, across = tile->x + x, down = tile->y + y;
    bool beside = across == -1 || across == k->grid.width, along = across >= 0 && across < k->grid.width;
    bool ends = down == -1 || down == k->grid.height, within = down >= 0 && down < k->grid.height;
    int32_t surface = ORO_OUTSIDE;
    if (k->borders != ORO_PIPES_WALLS && ((beside && within) || (ends && along))) {
        int dx = beside ? (across < 0 ? -1 : 1) : 0, dy = beside ? 0 : down < 0 ? -1 : 1;
        surface = oro_pipes_level_beyond(k, across, down, dx, dy);
    }
    bool gives_sea = k->borders == ORO_PIPES_SEA_LEVEL && surface == k->sea;
    t->ground[row][at] = ORO_OUTSIDE;
    t->surface[row][at] = surface;
    t->held[row][at] = gives_sea ? ORO_STEPS_MAX : 0;
    t->water[row][at] = t->sediment[row][at] = 0;
    t->softness[row][at] = 0;
}

/* What a row starts from. Surfaces are taken a little ahead of time. One column more is set at both ends,
 * which loops read whose results nobody asks for. */
ORO_INLINE void oro_pipes_load(const struct oro_pipes *k, const struct oro_tile *tile, int y,
                               const int32_t *rain, struct oro_pipes_rows *t)
{
    struct oro_span inside = oro_pipes_inside(k, tile, y);
    int row = y & 3;
    for (int x = -3; x < (inside.first < inside.end ? inside.first : tile->width + 3); x++)
        oro_pipes_set_outside(k, tile, y, x, t);
    for (int x = inside.end; x < tile->width + 3; x++)
        oro_pipes_set_outside(k, tile, y, x, t);
    ptrdiff_t index = oro_pipes_index(k, tile, y);
    const int32_t *cells = k->cells + ORO_CELL_WORDS * index, *ahead = k->ahead + index;
    const int32_t *fallen = k->fallen ? k->fallen + ORO_FALLEN_WORDS * index : rain;
    ptrdiff_t each = k->fallen ? ORO_FALLEN_WORDS : 1;
    int32_t *ground = t->ground[row] + ORO_PIPES_FIRST, *surface = t->surface[row] + ORO_PIPES_FIRST;
    int32_t *water = t->water[row] + ORO_PIPES_FIRST, *sediment = t->sediment[row] + ORO_PIPES_FIRST;
    float *held = t->held[row] + ORO_PIPES_FIRST, *softness = t->softness[row] + ORO_PIPES_FIRST;
#pragma omp simd
    for (int x = inside.first; x < inside.end; x++) {
        int32_t here = cells[4 * x + ORO_GROUND], depth = cells[4 * x + ORO_WATER];
        int32_t room = ORO_DEPTH_MAX - depth, falls = fallen[each * x];
        room = room < 0 ? 0 : room;
        depth += falls < room ? falls : room;
        ground[x] = here;
        water[x] = depth;
        sediment[x] = cells[4 * x + ORO_SEDIMENT];
        softness[x] = oro_of_bits(cells[4 * x + ORO_SOFTNESS]);
        surface[x] = here + depth + ahead[x];
        held[x] = oro_max((float)(depth + ahead[x]), 0);
    }
}

/* ---- Pipes ---- */

/* Eq. 2: a pipe's flux once the difference of surfaces has acted on it. */
ORO_INLINE float oro_driven(float flux, float push, int32_t drop, float held_here, float held_there)
{
    return oro_clamp(flux + push * (float)drop, -held_there, held_here);
}

/* Over the border lead straight pipes alone, and carry all. */
static inline float oro_driven_over_border(const struct oro_pipes *k, float flux, int row, int x, int other,
                                           int there, const struct oro_pipes_rows *t)
{
    int32_t here = t->surface[row & 3][x + ORO_PIPES_FIRST];
    int32_t beyond = t->surface[other & 3][there + ORO_PIPES_FIRST];
    if (here == ORO_OUTSIDE || beyond == ORO_OUTSIDE)
        return 0;
    return oro_driven(flux, k->acceleration, here - beyond, t->held[row & 3][x + ORO_PIPES_FIRST],
                      t->held[other & 3][there + ORO_PIPES_FIRST]);
}

/* No water flows from or to a cell, in row y. */
static inline void oro_pipes_close(int y, int x, int pipes, struct oro_pipes_rows *t)
{
    for (int pipe = 0; pipe < pipes; pipe++)
        t->free[pipe][y & 3][x + ORO_PIPES_FIRST] = 0;
}

/* Pipes of row y that lead over the northern or southern border. Over a border flows what comes there from
 * inside: such pipes are not kept. */
static inline void oro_pipes_over_ends(const struct oro_pipes *k, const struct oro_tile *tile, int y,
                                       int pipes, struct oro_pipes_rows *t)
{
    bool above = tile->y + y == -1;
    if (!above && tile->y + y != k->grid.height - 1)
        return;
    ptrdiff_t kept = oro_pipes_index(k, tile, above ? 0 : y - 1);
    for (int x = -2; x < tile->width + 2; x++) {
        bool within = tile->x + x >= 0 && tile->x + x < k->grid.width;
        float flux = within && k->grid.height > 1 ? k->flux[pipes * (kept + x) + 1] : 0;
        if (above)
            oro_pipes_close(y, x, pipes, t);
        t->free[1][y & 3][x + ORO_PIPES_FIRST] = oro_driven_over_border(k, flux, y, x, y + 1, x, t);
        for (int pipe = 2; pipe < pipes; pipe++)
            t->free[pipe][y & 3][x + ORO_PIPES_FIRST] = 0;
    }
}

/* The same for the western and the eastern border. */
static inline void oro_pipes_over_sides(const struct oro_pipes *k, const struct oro_tile *tile, int y,
                                        int pipes, struct oro_pipes_rows *t)
{
    const float *flux = k->flux + pipes * oro_pipes_index(k, tile, y);
    int row = y & 3, end = k->grid.width - tile->x;
    float(*out)[ORO_PIPES_ROWS][ORO_PIPES_COLUMNS] = t->free;
    if (tile->x == 0) {
        oro_pipes_close(y, -2, pipes, t);
        oro_pipes_close(y, -1, pipes, t);
        out[0][row][ORO_PIPES_FIRST - 1] =
            oro_driven_over_border(k, k->grid.width > 1 ? flux[0] : 0, y, -1, y, 0, t);
        if (pipes == 4)
            out[3][row][ORO_PIPES_FIRST] = 0;
    }
    for (int x = end; x < tile->width + 2; x++)
        oro_pipes_close(y, x, pipes, t);
    if (end <= tile->width + 2) {
        float kept = k->grid.width > 1 ? flux[pipes * (end - 2)] : 0;
        out[0][row][ORO_PIPES_FIRST + end - 1] = oro_driven_over_border(k, kept, y, end - 1, y, end, t);
        if (pipes == 4)
            out[2][row][ORO_PIPES_FIRST + end - 1] = 0;
    }
}

/* Eight pipes carry as much as four, whatever the direction: 2/3 along the rows and columns, 1/6 across. */
ORO_INLINE void oro_pipes_accelerate(const struct oro_pipes *k, const struct oro_tile *tile, int y, int pipes,
                                     struct oro_pipes_rows *t)
{
    struct oro_span inside = oro_pipes_inside(k, tile, y);
    const float *flux = k->flux + pipes * oro_pipes_index(k, tile, y);
    float push = pipes == 4 ? k->acceleration * (2.0F / 3.0F) : k->acceleration;
    float push_across = k->acceleration * (1.0F / 6.0F);
    const int32_t *surface = t->surface[y & 3] + ORO_PIPES_FIRST;
    const int32_t *below = t->surface[(y + 1) & 3] + ORO_PIPES_FIRST;
    const float *held = t->held[y & 3] + ORO_PIPES_FIRST,
                *held_below = t->held[(y + 1) & 3] + ORO_PIPES_FIRST;
    float *east = t->free[0][y & 3] + ORO_PIPES_FIRST, *south = t->free[1][y & 3] + ORO_PIPES_FIRST;
    float *south_east = t->free[2][y & 3] + ORO_PIPES_FIRST,
          *south_west = t->free[3][y & 3] + ORO_PIPES_FIRST;
#pragma omp simd
    for (int x = inside.first; x < inside.end; x++) {
        int32_t s = surface[x];
        float most = held[x];
        east[x] = oro_driven(flux[pipes * x], push, s - surface[x + 1], most, held[x + 1]);
        south[x] = oro_driven(flux[pipes * x + 1], push, s - below[x], most, held_below[x]);
        if (pipes == 4) {
            south_east[x] =
                oro_driven(flux[4 * x + 2], push_across, s - below[x + 1], most, held_below[x + 1]);
            south_west[x] =
                oro_driven(flux[4 * x + 3], push_across, s - below[x - 1], most, held_below[x - 1]);
        }
    }
    if (inside.first < inside.end)
        oro_pipes_over_sides(k, tile, y, pipes, t);
    oro_pipes_over_ends(k, tile, y, pipes, t);
}

/* ---- What a cell gives ---- */

/* Friction against the ground, by the law of Darcy and Weisbach: the share of a flux that is left. */
ORO_INLINE float oro_slowed(float flux, float depth, float drag)
{
    return 2 / (1 + sqrtf(1 + 4 * (drag / (depth * depth * depth)) * flux));
}

ORO_INLINE float oro_gain(float out_of, float into)
{
    return oro_max(out_of, 0) + oro_max(-into, 0);
}

/* Eq. 4: no more leaves than is there, a hair less because sums are rounded. */
ORO_INLINE void oro_pipes_give(const struct oro_pipes *k, struct oro_span ring, int y, int pipes,
                               struct oro_pipes_rows *t)
{
    const float hair = 0.999996F;
    int row = y & 3, above = (y - 1) & 3;
    const float *east = t->free[0][row], *south = t->free[1][row], *north = t->free[1][above];
    const float *south_east = t->free[2][row], *north_west = t->free[2][above];
    const float *south_west = t->free[3][row], *north_east = t->free[3][above];
    const int32_t *water = t->water[row], *sediment = t->sediment[row];
    float *left = t->left[row], *load = t->load[row];
#pragma omp simd
    for (int x = ring.first + ORO_PIPES_FIRST; x < ring.end + ORO_PIPES_FIRST; x++) {
        struct oro_fluxes out_of = {east[x], south[x], 0, 0}, into = {east[x - 1], north[x], 0, 0};
        if (pipes == 4) {
            out_of = (struct oro_fluxes){east[x], south[x], south_east[x], south_west[x]};
            into = (struct oro_fluxes){east[x - 1], north[x], north_west[x - 1], north_east[x + 1]};
        }
        float leaving =
            (oro_gain(out_of.east, into.east) + oro_gain(out_of.south, into.south)) +
            (oro_gain(out_of.south_east, into.south_east) + oro_gain(out_of.south_west, into.south_west));
        struct oro_through flow = oro_through(out_of, into);
        float depth = (float)water[x], slowed = oro_slowed(oro_length(flow.x, flow.y), depth, k->drag);
        float part = oro_min(slowed, depth / oro_max(leaving, 1e-20F)),
              sediments = oro_min((float)sediment[x] / depth, 1e9F);
        left[x] = depth > 0 ? hair * part : 0;
        load[x] = depth > 0 ? hair * sediments : 0;
    }
}

/* ---- What comes and goes, in whole steps ---- */

ORO_INLINE void oro_pipes_send_row(struct oro_span faces, int y, int pipe, struct oro_pipes_rows *t)
{
    static const int down[4] = {0, 1, 1, 1}, across[4] = {1, 0, 1, -1};
    int row = y & 3, other = (y + down[pipe]) & 3, step = across[pipe];
    const float *left = t->left[row], *left_there = t->left[other];
    const float *load = t->load[row], *load_there = t->load[other];
    const float *free = t->free[pipe][row];
    float *flux = t->flux[pipe][row];
    int32_t *sent = t->sent[pipe][row];
#pragma omp simd
    for (int x = faces.first + ORO_PIPES_FIRST; x < faces.end + ORO_PIPES_FIRST; x++) {
        float goes = oro_max(free[x], 0) * left[x] + oro_min(free[x], 0) * left_there[x + step];
        float whole = (float)(int32_t)goes;
        flux[x] = goes;
        sent[x] = (int32_t)(oro_max(whole, 0) * load[x] + oro_min(whole, 0) * load_there[x + step]);
    }
}

/* What cells of a row have once water has come and gone, and what flows through them. */
struct oro_pipes_row {
    int32_t ground[ORO_TILE_WIDTH], water[ORO_TILE_WIDTH], sediment[ORO_TILE_WIDTH];
    float softness[ORO_TILE_WIDTH];
    float flow_x[ORO_TILE_WIDTH], flow_y[ORO_TILE_WIDTH], depth[ORO_TILE_WIDTH]; /* on average in the step */
};

/* How far the surface will have risen in a part of the next step, if water goes on as it does. */
ORO_INLINE int32_t oro_rise_ahead(struct oro_fluxes out_of, struct oro_fluxes into, float damping)
{
    const float most = ORO_DEPTH_MAX / 2;
    float loss = ((out_of.east - into.east) + (out_of.south - into.south)) +
                 ((out_of.south_east - into.south_east) + (out_of.south_west - into.south_west));
    return -(int32_t)oro_clamp(damping * loss, -most, most);
}

/* In whole steps. */
ORO_INLINE int32_t oro_whole_gain(struct oro_fluxes out_of, struct oro_fluxes into)
{
    return (int32_t)into.east - (int32_t)out_of.east + (int32_t)into.south - (int32_t)out_of.south +
           (int32_t)into.south_east - (int32_t)out_of.south_east + (int32_t)into.south_west -
           (int32_t)out_of.south_west;
}

/* Eq. 6, and 15 in flux form. */
ORO_INLINE void oro_pipes_collect(const struct oro_pipes *k, const struct oro_tile *tile, int y, int pipes,
                                  const struct oro_pipes_rows *t, struct oro_pipes_row *to)
{
    ptrdiff_t index = oro_pipes_index(k, tile, y);
    float *flux_out = k->flux_out + pipes * index;
    int32_t *ahead_out = k->ahead_out + index;
    int row = y & 3, above = (y - 1) & 3;
    const float *east = t->flux[0][row] + ORO_PIPES_FIRST, *south = t->flux[1][row] + ORO_PIPES_FIRST;
    const float *south_east = t->flux[2][row] + ORO_PIPES_FIRST,
                *south_west = t->flux[3][row] + ORO_PIPES_FIRST;
    const float *north = t->flux[1][above] + ORO_PIPES_FIRST;
    const float *north_west = t->flux[2][above] + ORO_PIPES_FIRST,
                *north_east = t->flux[3][above] + ORO_PIPES_FIRST;
    const int32_t(*sent)[ORO_PIPES_ROWS][ORO_PIPES_COLUMNS] = t->sent;
    const int32_t *water = t->water[row] + ORO_PIPES_FIRST, *sediment = t->sediment[row] + ORO_PIPES_FIRST;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        int at = x + ORO_PIPES_FIRST;
        struct oro_fluxes out_of = {east[x], south[x], 0, 0}, into = {east[x - 1], north[x], 0, 0};
        int32_t settled = sent[0][row][at - 1] - sent[0][row][at] + sent[1][above][at] - sent[1][row][at];
        flux_out[pipes * x] = out_of.east;
        flux_out[pipes * x + 1] = out_of.south;
        if (pipes == 4) {
            out_of = (struct oro_fluxes){east[x], south[x], south_east[x], south_west[x]};
            into = (struct oro_fluxes){east[x - 1], north[x], north_west[x - 1], north_east[x + 1]};
            settled += sent[2][above][at - 1] - sent[2][row][at] + sent[3][above][at + 1] - sent[3][row][at];
            flux_out[4 * x + 2] = out_of.south_east;
            flux_out[4 * x + 3] = out_of.south_west;
        }
        int32_t after = water[x] + oro_whole_gain(out_of, into);
        struct oro_through flow = oro_through(out_of, into);
        ahead_out[x] = oro_rise_ahead(out_of, into, k->damping);
        to->water[x] = after;
        to->sediment[x] = sediment[x] + settled;
        to->flow_x[x] = flow.x;
        to->flow_y[x] = flow.y;
        to->depth[x] = 0.5F * ((float)water[x] + (float)after);
    }
}

/* ---- The books of what leaves over a border ---- */

static inline void oro_pipes_book(const struct oro_pipes *k, ptrdiff_t cell, int32_t water, int32_t sediment)
{
    uint32_t entry[ORO_GONE_WORDS];
    int32_t *at = k->gone + ORO_GONE_WORDS * cell;
    memcpy(entry, at, sizeof entry);
    uint64_t sums[2] = {(uint64_t)entry[1] << 32 | entry[0], (uint64_t)entry[3] << 32 | entry[2]};
    sums[0] += (uint64_t)(int64_t)water;
    sums[1] += (uint64_t)(int64_t)sediment;
    for (int i = 0; i < 2; i++) {
        entry[2 * i] = (uint32_t)sums[i];
        entry[2 * i + 1] = (uint32_t)(sums[i] >> 32);
    }
    memcpy(at, entry, sizeof entry);
}

static inline void oro_pipes_book_row(const struct oro_pipes *k, const struct oro_tile *tile, int y,
                                      const struct oro_pipes_rows *t)
{
    enum { EAST, SOUTH };
    int row = y & 3, above = (y - 1) & 3, last = tile->width - 1 + ORO_PIPES_FIRST,
        west = ORO_PIPES_FIRST - 1;
    ptrdiff_t first = oro_pipes_index(k, tile, y);
    if (tile->x == 0)
        oro_pipes_book(k, first, -(int32_t)t->flux[EAST][row][west], -t->sent[EAST][row][west]);
    if (tile->x + tile->width == k->grid.width)
        oro_pipes_book(k, first + tile->width - 1, (int32_t)t->flux[EAST][row][last],
                       t->sent[EAST][row][last]);
    for (int x = 0, at = ORO_PIPES_FIRST; tile->y + y == 0 && x < tile->width; x++, at++)
        oro_pipes_book(k, first + x, -(int32_t)t->flux[SOUTH][above][at], -t->sent[SOUTH][above][at]);
    for (int x = 0, at = ORO_PIPES_FIRST; tile->y + y == k->grid.height - 1 && x < tile->width; x++, at++)
        oro_pipes_book(k, first + x, (int32_t)t->flux[SOUTH][row][at], t->sent[SOUTH][row][at]);
}

#endif
