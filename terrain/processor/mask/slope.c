#include <math.h>

#include "terrain/processor/lib/terrain.h"

enum { ANGLE, TANGENT };

struct slope {
    struct oro_map terrain;
    float cell;
    bool angle;
    struct oro_setter out;
};

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const struct slope *k = user;
    struct oro_terrain_rows rows;
    float out[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        oro_terrain_rows(&k->terrain, tile, y, &rows);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            struct oro_slope slope = oro_gradient_at(&rows, x, k->cell);
            out[x] = sqrtf(slope.east * slope.east + slope.south * slope.south);
        }
        if (k->angle) {
#pragma omp simd
            for (int x = 0; x < tile->width; x++)
                out[x] = oro_atan2(out[x], 1) * 57.2957795F;
        }
        oro_set_row(&k->out, tile->x, y, tile->width, out);
    }
}

ORO_PROCESSOR(mask, slope)
{
    struct slope k = {.terrain = oro_run_map(run, "terrain"),
                      .cell = run->source.cell,
                      .angle = oro_run_int(run, "method") == ANGLE,
                      .out = oro_run_setter(run, "field")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
