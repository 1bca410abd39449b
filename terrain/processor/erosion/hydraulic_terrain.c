/* The elevation that a state of hydraulic erosion has. Ground that has not changed keeps every bit. */
#include "terrain/processor/lib/pipes.h"

struct look {
    const int32_t *cells;
    const float *terrain;
    float metre;
    int width;
    float *out;
};

static ORO_CLONES void look(const void *user, const struct oro_tile *tile)
{
    const struct look *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        const int32_t *cells = k->cells + ORO_CELL_WORDS * at;
        const float *terrain = k->terrain + at;
        float *out = k->out + at;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            int32_t risen = cells[4 * x + ORO_GROUND] - oro_elevation_steps(terrain[x], k->metre);
            out[x] = terrain[x] + (float)risen / k->metre;
        }
    }
}

ORO_PROCESSOR(erosion, hydraulic_terrain)
{
    struct look k = {oro_run_buffer(run, "cells"), oro_run_buffer(run, "terrain"),
                     oro_run_number(run, "metre"), run->grid.width, oro_run_buffer(run, "terrain_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, look, &k);
}
