#include <math.h>

#include "terrain/processor/lib/ring.h"
#include "terrain/processor/vector.h"

struct multiple {
    struct oro_run_grid grid;
    const float *z, *steepest, *share, *area;
    struct oro_map rain;
    float exponent;
    float *out;
};

struct around {
    oro_ring z, steepest, share, area;
};

/* `at` is the cell's place in the rings. */
ORO_INLINE float came_from(const struct around *a, int at, int neighbour, float straight, float exponent)
{
    int there = at + neighbour;
    float drop = (a->z[there] - a->z[at]) * straight;
    float part = oro_power(drop / oro_max(a->steepest[there], 1e-37F), exponent);
    float came = part * a->share[there] * a->area[there];
    return (drop > 0) & (a->share[there] > 0) ? came : 0;
}

ORO_INLINE void collect_row(const struct around *a, const float *rain, int width, float square,
                            float exponent, float *out)
{
    const float straight = 1, across = 0.70710678F;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        int at = ORO_RING_HERE + x;
        float came = square * rain[x];
        came += came_from(a, at, ORO_RING_NW, across, exponent);
        came += came_from(a, at, ORO_RING_N, straight, exponent);
        came += came_from(a, at, ORO_RING_NE, across, exponent);
        came += came_from(a, at, ORO_RING_W, straight, exponent);
        came += came_from(a, at, ORO_RING_E, straight, exponent);
        came += came_from(a, at, ORO_RING_SW, across, exponent);
        came += came_from(a, at, ORO_RING_S, straight, exponent);
        came += came_from(a, at, ORO_RING_SE, across, exponent);
        out[x] = came;
    }
}

static ORO_CLONES void collect(const void *user, const struct oro_tile *tile)
{
    const struct multiple *m = user;
    struct around a;
    float scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        oro_ring_read(&m->grid, m->z, tile, y, -INFINITY, a.z);
        oro_ring_read(&m->grid, m->steepest, tile, y, 1, a.steepest);
        oro_ring_read(&m->grid, m->share, tile, y, 0, a.share);
        oro_ring_read(&m->grid, m->area, tile, y, 0, a.area);
        collect_row(&a, oro_map_row(&m->rain, tile->x, y, tile->width, scratch), tile->width,
                    m->grid.cell * m->grid.cell, m->exponent,
                    m->out + (size_t)y * (size_t)m->grid.width + tile->x);
    }
}

ORO_PROCESSOR(flow, flow_multiple)
{
    struct multiple k = {.grid = run->grid,
                         .z = oro_run_buffer(run, "z"),
                         .steepest = oro_run_buffer(run, "steepest"),
                         .share = oro_run_buffer(run, "share"),
                         .area = oro_run_buffer(run, "area"),
                         .rain = oro_run_map(run, "rain"),
                         .exponent = oro_run_float(run, "flow_exponent"),
                         .out = oro_run_buffer(run, "area_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, collect, &k);
}
