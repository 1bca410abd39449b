/* The state that hydraulic erosion starts from: the terrain, with the water and the sediment that are given.
 */
#include "terrain/processor/lib/pipes.h"

struct start {
    struct oro_run_grid grid;
    struct oro_map water, sediment, hardness;
    const float *terrain;
    float metre;
    int32_t sea;
    bool floods, exchange; /* floods: what lies below the sea at the start */
    size_t pipes;
    int32_t *cells, *ahead, *bed, *gone;
    float *pipes_out;
};

ORO_INLINE int32_t depth_steps(const struct start *k, float metres)
{
    return oro_steps(oro_round(oro_max(oro_guarded(metres), 0) * k->metre));
}

static ORO_CLONES void begin(const void *user, const struct oro_tile *tile)
{
    const struct start *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float scratch[3][ORO_TILE_WIDTH];
        const float *given = oro_map_row(&k->water, tile->x, y, tile->width, scratch[0]);
        const float *sediments = oro_map_row(&k->sediment, tile->x, y, tile->width, scratch[1]);
        const float *hardness = oro_map_row(&k->hardness, tile->x, y, tile->width, scratch[2]);
        size_t at = (size_t)y * (size_t)k->grid.width + (size_t)tile->x;
        int32_t *cells = k->cells + ORO_CELL_WORDS * at;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            int32_t ground = oro_elevation_steps(k->terrain[at + (size_t)x], k->metre);
            int32_t sediment = depth_steps(k, sediments[x]), water = depth_steps(k, given[x]);
            int32_t below_sea = oro_most(k->sea - ground, 0);
            water = k->floods ? below_sea : water;
            water = k->exchange ? oro_most(water, sediment) : water;
            cells[4 * x + ORO_GROUND] = ground;
            cells[4 * x + ORO_WATER] = water;
            cells[4 * x + ORO_SEDIMENT] = sediment;
            cells[4 * x + ORO_SOFTNESS] = oro_bits(1 - oro_guarded(hardness[x]));
            k->bed[at + (size_t)x] = ground;
        }
        memset(k->ahead + at, 0, (size_t)tile->width * sizeof *k->ahead);
        memset(k->gone + ORO_GONE_WORDS * at, 0, ORO_GONE_WORDS * (size_t)tile->width * sizeof *k->gone);
        memset(k->pipes_out + k->pipes * at, 0, k->pipes * (size_t)tile->width * sizeof *k->pipes_out);
    }
}

ORO_PROCESSOR(erosion, hydraulic_start)
{
    struct start k = {
        .grid = run->grid,
        .water = oro_run_map(run, "water"),
        .sediment = oro_run_map(run, "sediment"),
        .hardness = oro_run_map(run, "hardness"),
        .terrain = oro_run_buffer(run, "terrain"),
        .metre = oro_run_number(run, "metre"),
        .sea = (int32_t)oro_run_number(run, "sea"),
        .exchange = oro_run_flag(run, "exchange"),
        .pipes = (size_t)oro_run_defined(run, "PIPES"),
        .cells = oro_run_buffer(run, "cells_out"),
        .ahead = oro_run_buffer(run, "ahead_out"),
        .bed = oro_run_buffer(run, "bed_out"),
        .gone = oro_run_buffer(run, "gone_out"),
        .pipes_out = oro_run_buffer(run, "pipes_out"),
    };
    k.floods = oro_run_int(run, "borders") == ORO_PIPES_SEA_LEVEL && !oro_run_linked(run, "water");
    if (oro_run_ready(run))
        oro_run_tiles(run, begin, &k);
}
