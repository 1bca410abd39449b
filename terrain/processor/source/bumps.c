/* Gaussian bumps, blended. */
#include <math.h>

#include "terrain/processor/lib/noise.h"
#include "terrain/processor/run.h"

enum { ROUGH_OCTAVES = 6, WIDTH = ORO_TILE_WIDTH };
enum { SMOOTH_MAX, MAX, SUM }; /* blend */

struct bumps {
    float cell, size, roughness, top;
    int count, blend;
    uint32_t seed;
    const float (*bumps)[8];
    struct oro_setter terrain;
};

/* Rows of places in metres, of heights, and of what heights are multiplied by. */
struct rows {
    float x[WIDTH], y[WIDTH], height[WIDTH], rough[WIDTH];
};

/* What bends outlines, and what roughens slopes. */
ORO_INLINE void roughen(const struct bumps *k, int width, struct rows *rows)
{
    uint32_t east = oro_hash_number(k->seed + 1), south = oro_hash_number(k->seed + 2);
    uint32_t slopes = oro_hash_number(k->seed + 3);
    float size = k->size, roughness = k->roughness, bend = roughness * size;
    float noise[3][WIDTH]; /* what bends to the east and to the south, and roughens */
    for (int axis = 0; axis < 3; axis++) {
        uint32_t seed = axis == 0 ? east : axis == 1 ? south : slopes;
        float *sum = noise[axis], twice = axis == 2 ? 2 : 1;
#pragma omp simd
        for (int x = 0; x < width; x++)
            sum[x] = oro_gradient_fbm(twice * (rows->x[x] / size), twice * (rows->y[x] / size), ROUGH_OCTAVES,
                                      seed);
    }
#pragma omp simd
    for (int x = 0; x < width; x++) {
        rows->x[x] += bend * noise[0][x];
        rows->y[x] += bend * noise[1][x];
        rows->rough[x] = oro_max(1 + roughness * noise[2][x], 0);
    }
}

/* Adds a bump to the sum of heights, the highest or the sum of fourth powers. */
ORO_INLINE void add_bump(const struct bumps *k, const float *bump, int width, struct rows *rows)
{
    float east = bump[0], south = bump[1], height = bump[2], stretch = bump[3], c = bump[4], s = bump[5];
    float top = k->top;
    int blend = k->blend;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float dx = rows->x[x] - east, dy = rows->y[x] - south;
        float along = c * dx + s * dy, across = c * dy - s * dx;
        float q = -2 * (along * along / stretch + across * across * stretch);
        float h = height * oro_exp2(q * 1.44269504F), share = h / top, power = share * share;
        float before = rows->height[x];
        rows->height[x] = blend == MAX ? oro_max(before, h) : before + (blend == SUM ? h : power * power);
    }
}

static ORO_CLONES void raise(const void *user, const struct oro_tile *tile)
{
    const struct bumps *k = user;
    int width = tile->width;
    struct rows rows;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        for (int x = 0; x < width; x++) {
            rows.x[x] = ((float)(tile->x + x) + 0.5F) * k->cell;
            rows.y[x] = ((float)y + 0.5F) * k->cell;
            rows.height[x] = 0;
            rows.rough[x] = 1;
        }
        if (k->roughness > 0)
            roughen(k, width, &rows);
        for (int i = 0; i < k->count; i++)
            add_bump(k, k->bumps[i], width, &rows);
        for (int x = 0; x < width; x++) {
            float height = rows.height[x];
            rows.height[x] =
                (k->blend == SMOOTH_MAX ? k->top * sqrtf(sqrtf(height)) : height) * rows.rough[x];
        }
        oro_set_row(&k->terrain, tile->x, y, width, rows.height);
    }
}

ORO_PROCESSOR(source, bumps)
{
    float low = oro_run_float(run, "height_low"), high = oro_run_float(run, "height_high");
    struct bumps k = {.cell = run->grid.cell,
                      .size = 0.5F * (oro_run_float(run, "radius_low") + oro_run_float(run, "radius_high")),
                      .roughness = oro_run_float(run, "roughness"),
                      .top = oro_max(oro_max(low, high), 1e-6F),
                      .count = oro_run_int(run, "count"),
                      .blend = oro_run_int(run, "blend"),
                      .seed = (uint32_t)oro_run_int(run, "seed"),
                      .bumps = oro_run_buffer(run, "bumps"),
                      .terrain = oro_run_setter(run, "terrain")};
    if (oro_run_ready(run))
        oro_run_tiles(run, raise, &k);
}
