/*
 * Flow routing over a tile (Schott 2024, eq. 1 and 2; Holmgren 1994): gles_shaders/lib/flow.glsl in rows.
 * Arrays of a tile have rings around it, so that tiles do not know of each other; row y, column x of the tile
 * is [y + 2][x + 8].
 */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_FLOW_H
#define ORO_TERRAIN_PROCESSOR_LIB_FLOW_H

#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { ORO_FLOW_ROWS = ORO_TILE_HEIGHT + 4, ORO_FLOW_COLUMNS = ORO_TILE_WIDTH + 16 };
typedef float oro_flow_array[ORO_FLOW_ROWS][ORO_FLOW_COLUMNS];

/* What the kernels with flowing water have in common. */
struct oro_flow {
    struct oro_run_grid grid;
    const float *height, *base;
    float exponent, diagonal; /* diagonal: what the longer way leaves of a power */
    bool walls, rises, fourth, held;
};

/* A tile with its rings: heights in two; ways from the cells to their neighbours E, SE, S, SW, negative where
 * they lead here; the sum over the ways that lead out. */
struct oro_flow_tile {
    oro_flow_array height, east, south_east, south, south_west, out_sum;
};

struct oro_flow oro_flow_of(struct oro_run *run);
/* Fills `height`, and mirrors or continues the ground beyond the grid. */
void oro_flow_heights(const struct oro_flow *flow, const struct oro_tile *tile, oro_flow_array height);
/* Fills one ring of what cells carry; beyond open borders there is nothing. */
void oro_flow_carried(const struct oro_flow *flow, const struct oro_tile *tile, const float *carried,
                      oro_flow_array array);

#define ORO_NO_WAY 1e-36F

/* drop^exponent with the sign of the drop. `fourth` is known when the function is compiled. */
ORO_INLINE float oro_way(float drop, float exponent, bool fourth)
{
    float size = oro_abs(drop);
    float power = fourth ? size * size * size * size : oro_power(size, exponent);
    return oro_of_bits(oro_bits(power) | (oro_bits(drop) & INT32_MIN));
}

ORO_INLINE void oro_flow_ways_of_row(const struct oro_flow *flow, int width, int row, bool fourth,
                                     struct oro_flow_tile *t)
{
    const float *here = t->height[row], *below = t->height[row + 1];
    float *east = t->east[row], *south_east = t->south_east[row], *south = t->south[row];
    float *south_west = t->south_west[row];
    float exponent = flow->exponent, diagonal = flow->diagonal;
#pragma omp simd
    for (int x = 8 - 2; x < 8 + width + 2; x++) {
        float h = here[x];
        east[x] = oro_way(h - here[x + 1], exponent, fourth);
        south_east[x] = oro_way(h - below[x + 1], exponent, fourth) * diagonal;
        south[x] = oro_way(h - below[x], exponent, fourth);
        south_west[x] = oro_way(h - below[x - 1], exponent, fourth) * diagonal;
    }
}

ORO_INLINE void oro_flow_sums_of_row(int width, int row, struct oro_flow_tile *t)
{
    const float *east = t->east[row], *south_east = t->south_east[row], *south = t->south[row];
    const float *south_west = t->south_west[row], *from_south_east = t->south_east[row - 1];
    const float *from_south = t->south[row - 1], *from_south_west = t->south_west[row - 1];
    float *sum = t->out_sum[row];
#pragma omp simd
    for (int x = 8 - 1; x < 8 + width + 1; x++) {
        float out = oro_max(east[x], 0) + oro_max(south_east[x], 0);
        out += oro_max(south[x], 0);
        out += oro_max(south_west[x], 0);
        out += oro_max(-east[x - 1], 0);
        out += oro_max(-from_south_east[x - 1], 0);
        out += oro_max(-from_south[x], 0);
        sum[x] = out + oro_max(-from_south_west[x + 1], 0);
    }
}

/* Heights, ways, and sums in one ring. */
ORO_INLINE void oro_flow_prepare(const struct oro_flow *flow, const struct oro_tile *tile,
                                 struct oro_flow_tile *t)
{
    oro_flow_heights(flow, tile, t->height);
    for (int row = 0; row < tile->height + 3 && flow->fourth; row++)
        oro_flow_ways_of_row(flow, tile->width, row, true, t);
    for (int row = 0; row < tile->height + 3 && !flow->fourth; row++)
        oro_flow_ways_of_row(flow, tile->width, row, false, t);
    for (int row = 1; row < tile->height + 3; row++)
        oro_flow_sums_of_row(tile->width, row, t);
}

/* Whether what a cell carries stays there: in a pit, or where drops are so small that their powers vanish. */
ORO_INLINE bool oro_stays(float carried, float out_sum)
{
    return !(out_sum > ORO_NO_WAY) | (carried > 1e36F * out_sum);
}

/* What is carried becomes what is carried per unit of way, in one ring. */
ORO_INLINE void oro_flow_shares(const struct oro_tile *tile, const struct oro_flow_tile *t,
                                oro_flow_array carried)
{
    for (int row = 1; row < tile->height + 3; row++) {
        float *share = carried[row];
        const float *sum = t->out_sum[row];
#pragma omp simd
        for (int x = 8 - 1; x < 8 + tile->width + 1; x++) {
            float each = share[x] / oro_max(sum[x], ORO_NO_WAY);
            share[x] = oro_stays(share[x], sum[x]) ? 0 : each;
        }
    }
}

/* What comes into the cells of one row. */
ORO_INLINE void oro_flow_collect_row(int width, int row, const struct oro_flow_tile *t, oro_flow_array share,
                                     float *came)
{
    const float *east = t->east[row], *south_east = t->south_east[row], *south = t->south[row];
    const float *south_west = t->south_west[row], *from_south_east = t->south_east[row - 1];
    const float *from_south = t->south[row - 1], *from_south_west = t->south_west[row - 1];
    const float *above = share[row - 1], *here = share[row], *below = share[row + 1];
#pragma omp simd
    for (int x = 8; x < 8 + width; x++) {
        float sum = oro_max(-east[x], 0) * here[x + 1] + oro_max(-south_east[x], 0) * below[x + 1];
        sum += oro_max(-south[x], 0) * below[x];
        sum += oro_max(-south_west[x], 0) * below[x - 1];
        sum += oro_max(east[x - 1], 0) * here[x - 1];
        sum += oro_max(from_south_east[x - 1], 0) * above[x - 1];
        sum += oro_max(from_south[x], 0) * above[x];
        came[x - 8] = sum + oro_max(from_south_west[x + 1], 0) * above[x + 1];
    }
}

/* The ground around a cell: flow.glsl says what its parts are. */
struct oro_flow_ground {
    float height, drop, receiver, lowest, straight, across, rise, above, mean;
};

ORO_INLINE float oro_lowest(float a, float b, float c, float d)
{
    return oro_min(oro_min(a, b), oro_min(c, d));
}

ORO_INLINE float oro_if_higher(float there, float here)
{
    return there > here ? there : 3e38F;
}

/* `at` points at the cell in `height` of a tile. */
ORO_INLINE float oro_drop_downhill(const float *at)
{
    const float straight = 0.57F, across = 0.215F;
    const int row = ORO_FLOW_COLUMNS;
    float h = at[0], e = oro_max(h - at[1], 0), w = oro_max(h - at[-1], 0);
    float s = oro_max(h - at[row], 0), n = oro_max(h - at[-row], 0);
    float se = oro_max(h - at[row + 1], 0), sw = oro_max(h - at[row - 1], 0);
    float ne = oro_max(h - at[1 - row], 0), nw = oro_max(h - at[-row - 1], 0);
    float east = straight * (e - w) + across * ((se - sw) + (ne - nw));
    float south = straight * (s - n) + across * ((se - ne) + (sw - nw));
    return sqrtf(east * east + south * south);
}

ORO_INLINE struct oro_flow_ground oro_ground_at(const float *at)
{
    const int row = ORO_FLOW_COLUMNS;
    float h = at[0], e = at[1], w = at[-1], s = at[row], n = at[-row];
    float se = at[row + 1], sw = at[row - 1], ne = at[1 - row], nw = at[-row - 1];
    float low = oro_lowest(e, w, s, n), low_across = oro_lowest(se, sw, ne, nw);
    float drop = h - low, drop_across = 0.70710678F * (h - low_across);
    float high = -oro_lowest(-e, -w, -s, -n), high_across = -oro_lowest(-se, -sw, -ne, -nw);
    float above =
        oro_lowest(oro_if_higher(e, h), oro_if_higher(w, h), oro_if_higher(s, h), oro_if_higher(n, h));
    float above_across =
        oro_lowest(oro_if_higher(se, h), oro_if_higher(sw, h), oro_if_higher(ne, h), oro_if_higher(nw, h));
    float straight_sum = (e - h) + (w - h) + (s - h) + (n - h);
    float across_sum = (se - h) + (sw - h) + (ne - h) + (nw - h);
    return (struct oro_flow_ground){
        .height = h,
        .drop = oro_max(oro_max(drop, drop_across), 0),
        .receiver = drop >= drop_across ? low : low_across,
        .lowest = oro_min(low, low_across),
        .straight = low,
        .across = low_across,
        .rise = oro_max(high - h, 0.70710678F * (high_across - h)),
        .above = oro_min(above, above_across),
        .mean = h + 0.125F * (straight_sum + across_sum),
    };
}

#endif
