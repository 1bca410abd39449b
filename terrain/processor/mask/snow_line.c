#include "terrain/processor/lib/quadratic.h"
#include "terrain/processor/lib/terrain.h"

enum input { ALTITUDE, TRANSITION, ASPECT, DIRECTION, SLOPE, SOFTNESS, WIND, DEPTH, MASK, INPUTS };
static const char *const inputs[INPUTS] = {"altitude", "transition", "aspect", "direction", "slope",
                                           "softness", "wind",       "depth",  "mask"};

struct snow_line {
    struct oro_quadratic_rows rows;
    struct oro_map terrain, maps[INPUTS];
    float radius, cell; /* radius: a cell at least */
    struct oro_setter snow, depth, out;
};

/* From 0 to 1 over `width` around `middle`; a step where that is 0. */
ORO_INLINE float rise_over(float value, float middle, float width)
{
    float above = value - middle, smooth = oro_smoothstep(oro_max(width, 1e-37F), above + 0.5F * width);
    float step = above >= 0 ? 1 : 0;
    return width > 0 ? smooth : step;
}

/* What a row has at a column. */
struct row {
    const float *maps[INPUTS];
    struct oro_terrain_rows terrain;
    struct oro_quadratic fit;
};

/* The share that does not slide off, of what stays by altitude and sun. */
ORO_INLINE float covered(const struct row *row, int x, float cell, float blown)
{
    const float degrees = 57.2957795F;
    struct oro_slope uphill = oro_gradient_at(&row->terrain, x, cell);
    float steep = sqrtf(uphill.east * uphill.east + uphill.south * uphill.south);
    struct oro_turn sun = oro_sincos(row->maps[DIRECTION][x] / degrees);
    float facing = -(uphill.east * sun.sine - uphill.south * sun.cosine) / oro_max(steep, 1);
    float transition = row->maps[TRANSITION][x], softness = row->maps[SOFTNESS][x];
    float line = row->maps[ALTITUDE][x] + row->maps[ASPECT][x] * facing + 0.5F * transition * blown;
    float lasting = rise_over(row->terrain.here[x + 1], line, transition);
    float edge = row->maps[SLOPE][x] + softness * (0.5F - 0.5F * blown);
    return lasting * (1 - rise_over(oro_atan2(steep, 1) * degrees, edge, softness));
}

/* Snow evens the ground out; at most half of its depth moves. */
ORO_INLINE float settled(float deep, float above)
{
    float most = 0.5F * deep, size = sqrtf(most * most + above * above);
    return most > 0 ? deep - above * most / size : 0;
}

static ORO_CLONES void cover(const void *user, const struct oro_tile *tile)
{
    const struct snow_line *k = user;
    struct oro_parabola line = oro_parabola_around(&k->rows.window, tile->y, k->rows.height);
    float scratch[INPUTS][ORO_TILE_WIDTH], snow[ORO_TILE_WIDTH], depth[ORO_TILE_WIDTH], out[ORO_TILE_WIDTH];
    struct row row;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        if (!oro_parabola_has(&k->rows.window, y, k->rows.height, &line))
            line = oro_parabola_around(&k->rows.window, y, k->rows.height);
        oro_quadratic_row(&k->rows, tile, y, &line, &row.fit);
        oro_terrain_rows(&k->terrain, tile, y, &row.terrain);
        for (int i = 0; i < INPUTS; i++)
            row.maps[i] = oro_map_row(&k->maps[i], tile->x, y, tile->width, scratch[i]);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float blown = row.maps[WIND][x] * oro_bulge(&row.fit, x, k->radius, 3),
                  height = row.terrain.here[x + 1];
            float lying = covered(&row, x, k->cell, blown) * (1 - blown);
            float deep = settled(row.maps[DEPTH][x] * lying, height - row.fit.level[x]);
            snow[x] = oro_min(lying, 1) * row.maps[MASK][x];
            depth[x] = deep * row.maps[MASK][x];
            out[x] = height + deep;
        }
        oro_set_row(&k->snow, tile->x, y, tile->width, snow);
        oro_set_row(&k->depth, tile->x, y, tile->width, depth);
        oro_set_row(&k->out, tile->x, y, tile->width, out);
    }
}

ORO_PROCESSOR(mask, snow_line)
{
    struct snow_line k = {.rows = oro_quadratic_of(run),
                          .terrain = oro_run_map(run, "terrain"),
                          .radius = oro_max(oro_run_float(run, "radius"), run->grid.cell),
                          .cell = run->source.cell,
                          .snow = oro_run_setter(run, "snow"),
                          .depth = oro_run_setter(run, "depth"),
                          .out = oro_run_setter(run, "terrain")};
    for (int i = 0; i < INPUTS; i++)
        k.maps[i] = oro_run_map(run, inputs[i]);
    if (oro_run_ready(run))
        oro_run_tiles(run, cover, &k);
}
