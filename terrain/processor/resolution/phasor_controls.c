/* What guides the ravines, over the cells of the coarse terrain
 * (gles_shaders/resolution/phasor_controls.comp). */
#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct controls {
    struct oro_run_grid grid;
    const float *smooth, *ground;
    const float *away, *orientation; /* NULL: not linked */
    struct oro_map amplitude, reach, mask;
    float least; /* slope; 0: no ground is too flat */
    float *slope, *full, *relief;
};

/* Elevation beyond the edge, where the surface goes on along its last slope (lib/terrain.glsl). */
static float beyond(const struct controls *k, int x, int y)
{
    int width = k->grid.width, height = k->grid.height, east = oro_within(x, width),
        south = oro_within(y, height);
    const float *row = k->smooth + (size_t)south * (size_t)width;
    float edge = row[east], h = edge;
    if (x != east)
        h += edge - row[oro_within(2 * east - x, width)];
    if (y != south)
        h += edge - k->smooth[(size_t)oro_within(2 * south - y, height) * (size_t)width + (size_t)east];
    return h;
}

/* Horn's gradient of the smoothed terrain. */
static void uphill(const struct controls *k, int x, int y, float out[2])
{
    float nw = beyond(k, x - 1, y - 1), n = beyond(k, x, y - 1), ne = beyond(k, x + 1, y - 1);
    float w = beyond(k, x - 1, y), e = beyond(k, x + 1, y);
    float sw = beyond(k, x - 1, y + 1), s = beyond(k, x, y + 1), se = beyond(k, x + 1, y + 1);
    out[0] = ((ne - nw) + 2 * (e - w) + (se - sw)) / (8 * k->grid.cell);
    out[1] = ((sw - nw) + 2 * (s - n) + (se - ne)) / (8 * k->grid.cell);
}

static float steepness(const struct controls *k, int x, int y)
{
    int width = k->grid.width, height = k->grid.height;
    int west = oro_within(x - 1, width), east = oro_within(x + 1, width);
    int north = oro_within(y - 1, height), south = oro_within(y + 1, height);
    const float *row = k->ground + (size_t)y * (size_t)width;
    float run_x = (float)(east > west ? east - west : 1) * k->grid.cell;
    float run_y = (float)(south > north ? south - north : 1) * k->grid.cell;
    float dx = (row[east] - row[west]) / run_x;
    float dy = (k->ground[(size_t)south * (size_t)width + (size_t)x] -
                k->ground[(size_t)north * (size_t)width + (size_t)x]) /
               run_y;
    return sqrtf(dx * dx + dy * dy);
}

static float smoothstep(float t)
{
    float s = oro_clamp(t, 0, 1);
    return s * s * (3 - 2 * s);
}

static float depth(const struct controls *k, int x, int y, size_t at)
{
    float depth = k->amplitude.values && isnan(k->amplitude.values[at]) ? 0 : oro_map_at(&k->amplitude, x, y);
    float bank = 1.5F * k->grid.cell, reach = k->away ? oro_map_at(&k->reach, x, y) : 0;
    return k->away ? depth * smoothstep((k->away[at] - bank) / oro_max(reach - bank, k->grid.cell)) : depth;
}

static void control(const struct controls *k, int x, int y)
{
    size_t at = (size_t)y * (size_t)k->grid.width + (size_t)x;
    float sure = 1, *slope = k->slope + 2 * at;
    uphill(k, x, y, slope);
    if (k->orientation) {
        const float *way = k->orientation + 2 * at;
        float size = sqrtf(way[0] * way[0] + way[1] * way[1]), longest = oro_max(size, 1);
        float steep = -oro_max(sqrtf(slope[0] * slope[0] + slope[1] * slope[1]), 1e-3F);
        sure = size / longest;
        slope[0] = steep * (way[0] / longest);
        slope[1] = steep * (way[1] / longest);
    } else if (k->least > 0) {
        sure = smoothstep(steepness(k, x, y) / k->least);
    }
    float full = depth(k, x, y, at) * sure, masked = full * oro_map_at(&k->mask, x, y);
    k->full[at] = full > 0 ? full : 0; /* comparisons are false for what is not a number */
    k->relief[at] = masked > 0 ? masked : 0;
}

static void control_rows(const void *user, const struct oro_tile *tile)
{
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = 0; x < tile->width; x++)
            control(user, x, y);
}

ORO_PROCESSOR(resolution, phasor_controls)
{
    bool rivers = oro_run_flag(run, "rivers") && oro_run_linked(run, "distance");
    struct controls k = {.grid = run->grid,
                         .smooth = oro_run_buffer(run, "terrain"),
                         .ground = oro_run_buffer(run, "ground"),
                         .away = rivers ? oro_run_buffer(run, "away") : NULL,
                         .amplitude = oro_run_map(run, "amplitude"),
                         .reach = oro_run_map(run, "reach"),
                         .mask = oro_run_map(run, "mask"),
                         .least = oro_tangent(oro_radians(oro_run_float(run, "least_slope"))),
                         .slope = oro_run_buffer(run, "slope_out"),
                         .full = oro_run_buffer(run, "full_out"),
                         .relief = oro_run_buffer(run, "relief_out")};
    if (oro_run_linked(run, "orientation"))
        k.orientation = oro_run_buffer(run, "orientation");
    if (oro_run_ready(run))
        oro_run_rows(run, control_rows, &k);
}
