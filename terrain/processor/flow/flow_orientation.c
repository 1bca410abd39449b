#include <math.h>

#include "terrain/processor/lib/terrain.h"

struct orientation {
    struct oro_map terrain;
    float cell, limit; /* tangent of the slope below which the direction fades out */
    int width;
    float *direction;
    struct oro_setter angle;
};

ORO_INLINE void orient_row(const struct orientation *k, const struct oro_terrain_rows *rows, int width,
                           float *direction, float *angle)
{
    const float slope_min = 1e-30F, slope_max = 1e18F, degrees = 57.2957795F;
    float cell = k->cell, limit = k->limit;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_slope g = oro_gradient_at(rows, x, cell);
        int is_slope = (oro_bits(oro_abs(g.east)) < oro_bits(slope_max)) & /* false for what is no number */
                       (oro_bits(oro_abs(g.south)) < oro_bits(slope_max));
        g.east = is_slope ? g.east : 0;
        g.south = is_slope ? g.south : 0;
        float larger = oro_max(oro_abs(g.east), oro_abs(g.south)), by = oro_max(larger, slope_min);
        float east = g.east / by, south = g.south / by, length = sqrtf(east * east + south * south);
        float faded = oro_smoothstep(oro_max(limit, slope_min), by * length);
        float strength = limit > 0 ? faded : 1;
        strength = larger > slope_min ? strength / oro_max(length, slope_min) : 0;
        east = 0 - east * strength;
        south = 0 - south * strength;
        float bearing = degrees * oro_atan2(east, -south);
        bearing += bearing < 0 ? 360 : 0;
        direction[2 * x] = east;
        direction[2 * x + 1] = south;
        angle[x] = bearing < 360 ? bearing : 0;
    }
}

static ORO_CLONES void orient(const void *user, const struct oro_tile *tile)
{
    const struct orientation *k = user;
    struct oro_terrain_rows rows;
    float angle[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        oro_terrain_rows(&k->terrain, tile, y, &rows);
        orient_row(k, &rows, tile->width, k->direction + 2 * ((size_t)y * (size_t)k->width + (size_t)tile->x),
                   angle);
        oro_set_row(&k->angle, tile->x, y, tile->width, angle);
    }
}

ORO_PROCESSOR(flow, flow_orientation)
{
    struct orientation k = {.terrain = oro_run_map(run, "terrain"),
                            .cell = run->source.cell,
                            .limit = oro_tangent(oro_radians(oro_run_float(run, "least_slope"))),
                            .width = run->grid.width,
                            .direction = oro_run_buffer(run, "direction_out"),
                            .angle = oro_run_setter(run, "angle")};
    if (oro_run_ready(run))
        oro_run_tiles(run, orient, &k);
}
