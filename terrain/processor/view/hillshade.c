#include <math.h>

#include "terrain/processor/lib/profile.h"
#include "terrain/processor/lib/terrain.h"

enum { MULTIDIRECTIONAL, SINGLE };
enum { LIGHTS = 4, RIVER_REACH = 2, RIVER_ROWS = 2 * RIVER_REACH + 1 };

/* A light: the way to it, and its compass direction as a way over the plane. */
struct light {
    float east, south, up, sine, cosine;
};

struct hillshade {
    struct oro_map terrain, drainage, overlay;
    const float *gradient; /* two numbers a cell; NULL: from the cells around */
    struct light lights[LIGHTS];
    float level_light; /* on level ground */
    bool single;
    float cell, exaggeration, ambient, tint, low, span, river_area;
    float river[4], overlaid[4];
    int width, height;
    float *image;
};

/* ---- Light ---- */

ORO_INLINE float lambert(const struct light *light, struct oro_slope slope, float length)
{
    return oro_max((light->up - slope.east * light->east - slope.south * light->south) / length, 0);
}

/* sin^2 of the angle between a light and the slope's aspect, whose sine and cosine are given. */
ORO_INLINE float grazing(const struct light *light, float sine, float cosine)
{
    float across = sine * light->cosine - cosine * light->sine;
    return across * across;
}

ORO_INLINE float lit(const struct hillshade *k, struct oro_slope slope, bool single)
{
    float square = slope.east * slope.east + slope.south * slope.south, length = sqrtf(square + 1);
    float main_light = lambert(&k->lights[2], slope, length), tangent = sqrtf(square);
    float per_tangent = 1 / oro_max(tangent, 1e-30F), sum = 0;
    float sine = -slope.east * per_tangent, cosine = tangent > 1e-30F ? slope.south * per_tangent : 1;
    for (int i = 0; i < LIGHTS; i++)
        sum += grazing(&k->lights[i], sine, cosine) * lambert(&k->lights[i], slope, length);
    return single ? main_light : oro_mix(0.5F * sum, main_light, 0.4F);
}

/* A row of slopes, and how light it is on them; 1 on level ground. */
struct slopes {
    float east[ORO_TILE_WIDTH], south[ORO_TILE_WIDTH];
};

ORO_INLINE void find_slopes(const struct hillshade *k, const struct oro_tile *tile, int y,
                            struct slopes *slopes)
{
    struct oro_terrain_rows rows;
    if (k->gradient) {
        const float *gradient = k->gradient + 2 * ((size_t)y * (size_t)k->width + (size_t)tile->x);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            slopes->east[x] = gradient[2 * x] * k->exaggeration;
            slopes->south[x] = gradient[2 * x + 1] * k->exaggeration;
        }
        return;
    }
    oro_terrain_rows(&k->terrain, tile, y, &rows);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        struct oro_slope slope = oro_gradient_at(&rows, x, k->cell);
        slopes->east[x] = slope.east * k->exaggeration;
        slopes->south[x] = slope.south * k->exaggeration;
    }
}

ORO_INLINE void light_row(const struct hillshade *k, const struct slopes *slopes, int width, bool single,
                          float *light)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_slope slope = {slopes->east[x], slopes->south[x]};
        light[x] = lit(k, slope, single) / k->level_light;
    }
}

/* ---- Open sky ---- */

enum { DIRECTIONS = 8, DISTANCES = 7 }; /* 1, 2, 4, ... 64 cells */

/* Adds the share of the sky that is seen in one direction. */
ORO_INLINE void look_along(const struct hillshade *k, const struct oro_tile *tile, int y, const int way[2],
                           const float *here, float *seen)
{
    float scratch[DISTANCES][ORO_TILE_WIDTH], per_run[DISTANCES];
    const float *there[DISTANCES];
    float reach = sqrtf((float)(way[0] * way[0] + way[1] * way[1])) * k->cell / k->exaggeration;
    for (int i = 0; i < DISTANCES; i++) {
        int away = 1 << i;
        per_run[i] = 1 / ((float)away * reach);
        there[i] =
            oro_map_row(&k->terrain, tile->x + away * way[0], y + away * way[1], tile->width, scratch[i]);
    }
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float horizon = 0;
        for (int i = 0; i < DISTANCES; i++)
            horizon = oro_max(horizon, (there[i][x] - here[x]) * per_run[i]);
        seen[x] += 1 - horizon / sqrtf(1 + horizon * horizon);
    }
}

/* 1 where nothing but sky is seen. */
ORO_INLINE void see_sky(const struct hillshade *k, const struct oro_tile *tile, int y, const float *here,
                        float *sky)
{
    static const int ways[DIRECTIONS][2] = {{1, 0},  {2, 1},   {0, 1},  {-1, 2},
                                            {-1, 0}, {-2, -1}, {0, -1}, {1, -2}};
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        sky[x] = 0;
    for (int i = 0; i < DIRECTIONS; i++)
        look_along(k, tile, y, ways[i], here, sky);
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        sky[x] = oro_mix(1, sky[x] / DIRECTIONS, k->ambient);
}

/* ---- Colours ---- */

/* Red, green and blue by elevation: 0 lowest, 1 highest. */
#define STOPS .count = 8, .x = {0, 0.12F, 0.28F, 0.45F, 0.6F, 0.74F, 0.87F, 1}
static const struct oro_profile hypsometric[3] = {
    {STOPS, .y = {0.41F, 0.53F, 0.68F, 0.83F, 0.75F, 0.66F, 0.80F, 0.99F}},
    {STOPS, .y = {0.53F, 0.62F, 0.71F, 0.77F, 0.63F, 0.57F, 0.79F, 0.99F}},
    {STOPS, .y = {0.36F, 0.41F, 0.49F, 0.57F, 0.47F, 0.50F, 0.78F, 1.0F}}};

/* Radii of rivers, in cells; below 0 where there is none. */
ORO_INLINE void find_rivers(const struct hillshade *k, const struct oro_tile *tile, int y, float *radius)
{
    float scratch[ORO_TILE_WIDTH + 2 * RIVER_REACH], least = oro_max(k->river_area, 1);
    int first = tile->x - RIVER_REACH, count = tile->width + 2 * RIVER_REACH;
    const float *drainage = oro_map_row(&k->drainage, first, y, count, scratch);
#pragma omp simd
    for (int x = 0; x < count; x++) {
        float flow = drainage[x] / least;
        bool flows = (flow >= 1) & (first + x >= 0) & (first + x < k->width) & (y >= 0) & (y < k->height);
        radius[x] = flows ? oro_min(0.2F + 0.3F * oro_log2(oro_max(flow, 1)), 2.5F) : -1;
    }
}

/* How much of each cell is covered by the rivers in the rows around it. */
ORO_INLINE void cover_row(const float *const *radii, int width, float *cover)
{
    static const float distance[RIVER_ROWS][RIVER_ROWS] = {
        {2.82842712F, 2.23606798F, 2, 2.23606798F, 2.82842712F},
        {2.23606798F, 1.41421356F, 1, 1.41421356F, 2.23606798F},
        {2, 1, 0, 1, 2},
        {2.23606798F, 1.41421356F, 1, 1.41421356F, 2.23606798F},
        {2.82842712F, 2.23606798F, 2, 2.23606798F, 2.82842712F}};
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float most = 0;
        for (int j = 0; j < RIVER_ROWS; j++)
            for (int i = 0; i < RIVER_ROWS; i++)
                most = oro_max(most, radii[j][x + i] + 0.5F - distance[j][i]);
        cover[x] = oro_min(most, 1);
    }
}

/* What a row of the picture is made from. */
struct row {
    const float *overlay;
    float elevation[ORO_TILE_WIDTH], light[ORO_TILE_WIDTH], sky[ORO_TILE_WIDTH], river[ORO_TILE_WIDTH];
};

ORO_INLINE void paint_part(const struct hillshade *k, const struct row *row, int width, int part,
                           float *painted)
{
    static const float sun_tint[3] = {1.05F, 1, 0.93F}, sky_tint[3] = {0.92F, 1, 1.1F};
    float sun = 0.62F * oro_mix(1, sun_tint[part], k->tint),
          blue = 0.38F * oro_mix(1, sky_tint[part], k->tint);
    float river = k->river[part], overlaid = k->overlaid[part];
    oro_profile_row(&hypsometric[part], width, row->elevation, painted);
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float ground = oro_mix(0.86F, painted[x], k->tint);
        ground = oro_mix(ground, river, row->river[x] * k->river[3]);
        ground = oro_mix(ground, overlaid, row->overlay[x] * k->overlaid[3]);
        float shade = row->light[x] * oro_mix(1, row->sky[x], 0.5F) * sun + row->sky[x] * blue;
        painted[x] = oro_clamp(ground * shade, 0, 1);
    }
}

ORO_INLINE void paint_row(const struct hillshade *k, const struct oro_tile *tile, int y, struct row *row)
{
    float *image = k->image + 4 * ((size_t)y * (size_t)k->width + (size_t)tile->x);
    float scratch[2][ORO_TILE_WIDTH], painted[3][ORO_TILE_WIDTH];
    struct slopes slopes;
    const float *height = oro_map_row(&k->terrain, tile->x, y, tile->width, scratch[0]);
    row->overlay = oro_map_row(&k->overlay, tile->x, y, tile->width, scratch[1]);
    find_slopes(k, tile, y, &slopes);
    if (k->single)
        light_row(k, &slopes, tile->width, true, row->light);
    else
        light_row(k, &slopes, tile->width, false, row->light);
    see_sky(k, tile, y, height, row->sky);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float inside = oro_clamp((height[x] - k->low) / k->span, 0, 1);
        row->elevation[x] = k->span > 0 ? inside : 0.5F;
    }
    for (int part = 0; part < 3; part++)
        paint_part(k, row, tile->width, part, painted[part]);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        image[4 * x] = painted[0][x];
        image[4 * x + 1] = painted[1][x];
        image[4 * x + 2] = painted[2][x];
        image[4 * x + 3] = 1;
    }
}

static ORO_CLONES void paint(const void *user, const struct oro_tile *tile)
{
    const struct hillshade *k = user;
    float radii[RIVER_ROWS][ORO_TILE_WIDTH + 2 * RIVER_REACH];
    struct row row = {0};
    for (int y = -RIVER_REACH; k->drainage.values && y < RIVER_REACH; y++)
        find_rivers(k, tile, tile->y + y, radii[(y + RIVER_ROWS) % RIVER_ROWS]);
    for (int y = 0; y < tile->height; y++) {
        if (k->drainage.values) {
            const float *around[RIVER_ROWS];
            find_rivers(k, tile, tile->y + y + RIVER_REACH, radii[(y + RIVER_REACH) % RIVER_ROWS]);
            for (int i = 0; i < RIVER_ROWS; i++)
                around[i] = radii[(y + i - RIVER_REACH + RIVER_ROWS) % RIVER_ROWS];
            cover_row(around, tile->width, row.river);
        }
        paint_row(k, tile, tile->y + y, &row);
    }
}

static struct light light_from(float azimuth, float altitude)
{
    struct oro_turn around = oro_sincos(azimuth), up = oro_sincos(altitude);
    return (struct light){around.sine * up.cosine, -around.cosine * up.cosine, up.sine, around.sine,
                          around.cosine};
}

ORO_PROCESSOR(view, hillshade)
{
    float altitude = oro_radians(oro_run_float(run, "altitude"));
    struct hillshade k = {.terrain = oro_run_map(run, "terrain"),
                          .drainage = oro_run_map(run, "drainage"),
                          .overlay = oro_run_map(run, "overlay"),
                          .gradient = oro_run_optional(run, "gradient"),
                          .level_light = oro_sincos(altitude).sine,
                          .single = oro_run_int(run, "method") == SINGLE,
                          .cell = run->grid.cell,
                          .exaggeration = oro_run_float(run, "exaggeration"),
                          .ambient = oro_run_float(run, "ambient"),
                          .tint = oro_run_float(run, "tint"),
                          .low = oro_run_number(run, "low"),
                          .river_area = oro_run_float(run, "river_area"),
                          .width = run->grid.width,
                          .height = run->grid.height,
                          .image = oro_run_buffer(run, "image_out")};
    const void *river = oro_run_literal(run, "river_colour"),
               *overlaid = oro_run_literal(run, "overlay_colour");
    k.span = oro_run_number(run, "high") - k.low;
    for (int i = 0; i < LIGHTS; i++)
        k.lights[i] =
            light_from(oro_radians(oro_run_float(run, "azimuth")) + (float)(i - 2) * 0.78539816F, altitude);
    if (!oro_run_ready(run))
        return;
    memcpy(k.river, river, sizeof k.river);
    memcpy(k.overlaid, overlaid, sizeof k.overlaid);
    oro_run_tiles(run, paint, &k);
}
