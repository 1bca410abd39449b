#include "terrain/processor/lib/terrain.h"

enum { ASPECT = 3 };
enum blend { REPLACE, MULTIPLY, ADD, SUBTRACT, MAX, MIN };
enum input { LOW, HIGH, SOFTNESS_LOW, SOFTNESS_HIGH, DIRECTION, WIDTH, INPUTS };
static const char *const inputs[INPUTS] = {"low",           "high",      "softness_low",
                                           "softness_high", "direction", "width"};

struct select {
    struct oro_map terrain, measured, mask, maps[INPUTS];
    enum blend blend;
    bool aspect, masked;
    float sign, cell; /* sign: -1 selects the rest */
    struct oro_setter out;
};

/* 1 up to an edge, 0 from `softness` beyond it. */
ORO_INLINE float faded(float beyond, float softness)
{
    float smooth = 1 - oro_smoothstep(oro_max(softness, 1e-37F), beyond), hard = beyond > 0 ? 0.0F : 1.0F;
    return softness > 0 ? smooth : hard;
}

ORO_INLINE void select_range(const struct select *k, const struct oro_tile *tile, int y,
                             const float *const *maps, float *chosen)
{
    float scratch[ORO_TILE_WIDTH];
    const float *measured = oro_map_row(&k->measured, tile->x, y, tile->width, scratch);
    const float *low = maps[LOW], *high = maps[HIGH];
    const float *soft_low = maps[SOFTNESS_LOW], *soft_high = maps[SOFTNESS_HIGH];
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float value = measured[x];
        float inside = faded(low[x] - value, soft_low[x]) * faded(value - high[x], soft_high[x]);
        chosen[x] = oro_is_number(value) ? inside : 0;
    }
}

/* The two ends may meet on the other side of the circle: the nearer one counts. */
ORO_INLINE void select_directions(const struct select *k, const struct oro_tile *tile, int y,
                                  const float *const *maps, float *chosen)
{
    struct oro_terrain_rows rows;
    const float *direction = maps[DIRECTION], *width = maps[WIDTH];
    const float *soft_low = maps[SOFTNESS_LOW], *soft_high = maps[SOFTNESS_HIGH];
    oro_terrain_rows(&k->terrain, tile, y, &rows);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        struct oro_slope uphill = oro_gradient_at(&rows, x, k->cell);
        float size = uphill.east * uphill.east + uphill.south * uphill.south, half_width = 0.5F * width[x];
        float turn = oro_atan2(-uphill.east, uphill.south) * 57.2957795F - direction[x];
        float clockwise = turn - 360 * oro_floor(turn / 360);
        float inside = oro_max(faded(clockwise - half_width, soft_high[x]),
                               faded(360 - clockwise - half_width, soft_low[x]));
        bool faces = oro_is_number(size) & ((uphill.east != 0) | (uphill.south != 0));
        chosen[x] = faces ? inside : 0;
    }
}

ORO_INLINE float blended(enum blend blend, float old, float chosen)
{
    switch (blend) {
    case MULTIPLY:
        return old * chosen;
    case ADD:
        return old + chosen;
    case SUBTRACT:
        return old - chosen;
    case MAX:
        return oro_max(old, chosen);
    case MIN:
        return oro_min(old, chosen);
    case REPLACE:
        return chosen;
    }
    return chosen;
}

ORO_INLINE void blend_row(const struct select *k, const struct oro_tile *tile, int y, float *chosen)
{
    float scratch[ORO_TILE_WIDTH];
    const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch);
    for (int x = 0; k->masked && x < tile->width; x++)
        chosen[x] = blended(k->blend, oro_is_number(mask[x]) ? mask[x] : 0, chosen[x]);
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        chosen[x] = oro_clamp(chosen[x], 0, 1);
}

static ORO_CLONES void select(const void *user, const struct oro_tile *tile)
{
    const struct select *k = user;
    float scratch[INPUTS][ORO_TILE_WIDTH], chosen[ORO_TILE_WIDTH];
    const float *maps[INPUTS];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        for (int i = 0; i < INPUTS; i++)
            maps[i] = oro_map_row(&k->maps[i], tile->x, y, tile->width, scratch[i]);
        if (k->aspect)
            select_directions(k, tile, y, maps, chosen);
        else
            select_range(k, tile, y, maps, chosen);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            chosen[x] = k->sign < 0 ? 1 - chosen[x] : chosen[x];
        blend_row(k, tile, y, chosen);
        oro_set_row(&k->out, tile->x, y, tile->width, chosen);
    }
}

ORO_PROCESSOR(mask, mask_select)
{
    struct select k = {.terrain = oro_run_map(run, "terrain"),
                       .measured = {.values = oro_run_buffer(run, "measured"),
                                    .width = run->source.width,
                                    .height = run->source.height},
                       .mask = oro_run_map(run, "mask"),
                       .blend = (enum blend)oro_run_int(run, "blend"),
                       .aspect = oro_run_int(run, "method") == ASPECT,
                       .masked = oro_run_linked(run, "mask"),
                       .sign = oro_run_flag(run, "invert") ? -1 : 1,
                       .cell = run->source.cell,
                       .out = oro_run_setter(run, "mask")};
    for (int i = 0; i < INPUTS; i++)
        k.maps[i] = oro_run_map(run, inputs[i]);
    if (oro_run_ready(run))
        oro_run_tiles(run, select, &k);
}
