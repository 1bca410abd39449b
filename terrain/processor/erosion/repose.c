/* The tangent of the angle of repose: a map, varied by noise. */
#include "terrain/processor/lib/noise.h"
#include "terrain/processor/run.h"

struct repose {
    struct oro_run_grid grid;
    struct oro_map repose;
    float variation, size;
    uint32_t seed;
    float *critical;
};

ORO_INLINE void vary(const struct repose *k, const struct oro_tile *tile, int y, float *repose)
{
    float cell = k->grid.cell, west = k->grid.x, south = k->grid.y + ((float)y + 0.5F) * cell;
    float size = k->size, variation = k->variation;
    uint32_t seed = k->seed;
    int first = tile->x;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float east = west + ((float)(first + x) + 0.5F) * cell;
        repose[x] +=
            variation * oro_gradient_noise(oro_lattice_reduce(0, 0, east / size, south / size), seed);
    }
}

static ORO_CLONES void tangents(const void *user, const struct oro_tile *tile)
{
    const struct repose *k = user;
    float repose[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *mean = oro_map_row(&k->repose, tile->x, y, tile->width, repose);
        for (int x = 0; x < tile->width; x++)
            repose[x] = mean[x];
        if (k->variation > 0)
            vary(k, tile, y, repose);
        float *critical = k->critical + (size_t)y * (size_t)k->grid.width + tile->x;
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            critical[x] = oro_tangent(oro_radians(oro_clamp(repose[x], 0, 89)));
    }
}

ORO_PROCESSOR(erosion, repose)
{
    struct repose k = {.grid = run->grid,
                       .repose = oro_run_map(run, "repose"),
                       .variation = oro_run_float(run, "repose_variation"),
                       .size = oro_run_float(run, "variation_size"),
                       .seed = (uint32_t)oro_run_int(run, "seed"),
                       .critical = oro_run_buffer(run, "critical")};
    if (oro_run_ready(run))
        oro_run_tiles(run, tangents, &k);
}
