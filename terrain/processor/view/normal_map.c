#include <math.h>

#include "terrain/processor/lib/terrain.h"

enum { OPENGL, DIRECTX };
enum { COLOUR, VECTOR };

struct normals {
    struct oro_map terrain;
    const float *gradient; /* two numbers a cell; NULL: from the cells around */
    float cell, strength, north;
    float scale, shift; /* of what is written */
    int width;
    float *out;
};

static const float steepest = 1e9F;

ORO_INLINE void find_slopes(const struct normals *k, const struct oro_tile *tile, int y, float *east,
                            float *south)
{
    struct oro_terrain_rows rows;
    if (k->gradient) {
        const float *gradient = k->gradient + 2 * ((size_t)y * (size_t)k->width + (size_t)tile->x);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            east[x] = gradient[2 * x];
            south[x] = gradient[2 * x + 1];
        }
        return;
    }
    oro_terrain_rows(&k->terrain, tile, y, &rows);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        struct oro_slope slope = oro_gradient_at(&rows, x, k->cell);
        east[x] = slope.east;
        south[x] = slope.south;
    }
}

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const struct normals *k = user;
    float east[ORO_TILE_WIDTH], south[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float *out = k->out + 4 * ((size_t)y * (size_t)k->width + (size_t)tile->x);
        find_slopes(k, tile, y, east, south);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float e = oro_clamp(east[x] * k->strength, -steepest, steepest);
            float s = oro_clamp(south[x] * k->strength, -steepest, steepest);
            float length = sqrtf(e * e + s * s + 1);
            out[4 * x] = -e / length * k->scale + k->shift;
            out[4 * x + 1] = k->north * s / length * k->scale + k->shift;
            out[4 * x + 2] = 1 / length * k->scale + k->shift;
            out[4 * x + 3] = 1;
        }
    }
}

ORO_PROCESSOR(view, normal_map)
{
    bool colour = oro_run_int(run, "values") == COLOUR;
    struct normals k = {.terrain = oro_run_map(run, "terrain"),
                        .gradient = oro_run_optional(run, "gradient"),
                        .cell = run->source.cell,
                        .strength = oro_run_float(run, "strength"),
                        .north = oro_run_int(run, "convention") == DIRECTX ? -1 : 1,
                        .scale = colour ? 0.5F : 1,
                        .shift = colour ? 0.5F : 0,
                        .width = run->grid.width,
                        .out = oro_run_buffer(run, "normal_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
