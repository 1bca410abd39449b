/* Steps (gles_shaders/filter/terrace.comp). Heights above the beds' datum are counted in steps. */
#include "terrain/processor/lib/noise_layers.h"
#include "terrain/processor/lib/profile.h"

enum { OCTAVES = 5, WIDTH = ORO_TILE_WIDTH };

struct terrace {
    struct oro_run_grid grid;
    struct oro_layer_table layers;
    struct oro_map terrain, spacing, sharpness, riser, roughness;
    float low, dip[2]; /* dip: what the beds fall by to the east and south */
    float unevenness;
    uint32_t bends, borders, numbers; /* seeds */
    struct oro_profile_points profile;
    struct oro_setter ground, step, layer;
};

/* Rows of a tile: the beds' datum; then the step's bottom and height in steps, the place in it, its number.
 */
struct rows {
    float datum[WIDTH], size[WIDTH], t[WIDTH], bent[WIDTH], number[WIDTH], height[WIDTH];
};

/* A number of step k alone, 0..1. */
ORO_INLINE float of_step(float k, uint32_t seed)
{
    return oro_hash_unit(oro_hash_number((uint32_t)(int32_t)k + seed));
}

ORO_INLINE float border(float k, float unevenness, uint32_t seed)
{
    return k + unevenness * 0.9F * (of_step(k, seed) - 0.5F);
}

ORO_INLINE float sharpened(float t, float sharpness, float riser)
{
    float power = 1 / (1 - oro_clamp(sharpness, 0, 0.9999999F)), above = 1 - riser;
    float lower = riser * oro_power(t / oro_max(riser, 1e-37F), power);
    float upper = 1 - above * oro_power((1 - t) / oro_max(above, 1e-6F), power);
    float bent = t < riser ? lower : upper, cliff = ((t < riser) | (t == 0)) ? 0 : 1;
    return sharpness <= 0 ? t : sharpness >= 1 ? cliff : bent;
}

/* How far the beds lie above level ones. */
ORO_INLINE void find_datum(const struct terrace *k, const struct oro_gradient_layer layers[OCTAVES],
                           const struct oro_tile *tile, int y, float *datum)
{
    float px[WIDTH], py[WIDTH], value[WIDTH], sum[WIDTH] = {0}, scratch[WIDTH], strength = 1, total = 0;
    const float *rough = oro_map_row(&k->roughness, tile->x, y, tile->width, scratch);
    float cell = k->grid.cell, south = k->grid.y + ((float)y + 0.5F) * cell;
    for (int x = 0; x < tile->width; x++) {
        px[x] = (float)(tile->x + x) + 0.5F;
        py[x] = (float)y + 0.5F;
    }
    for (int i = 0; i < OCTAVES && !oro_map_is(&k->roughness, 0); i++, strength *= 0.5F) {
        oro_gradient_layer_row(&layers[i], tile->width, px, py, value);
        for (int x = 0; x < tile->width; x++)
            sum[x] += strength * value[x];
        total += strength;
    }
    total = oro_max(total, 1);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float east = k->grid.x + px[x] * cell;
        datum[x] = rough[x] * (sum[x] / total) - (east * k->dip[0] + south * k->dip[1]);
    }
}

ORO_INLINE void find_steps(const struct terrace *k, const struct oro_tile *tile, int y, struct rows *rows)
{
    float scratch[4][WIDTH], low = k->low, unevenness = k->unevenness;
    const float *terrain = oro_map_row(&k->terrain, tile->x, y, tile->width, scratch[0]);
    const float *spacing = oro_map_row(&k->spacing, tile->x, y, tile->width, scratch[1]);
    const float *sharpness = oro_map_row(&k->sharpness, tile->x, y, tile->width, scratch[2]);
    const float *riser = oro_map_row(&k->riser, tile->x, y, tile->width, scratch[3]);
    float sharp[WIDTH], slope[WIDTH];
    uint32_t borders = k->borders, numbers = k->numbers;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float height = spacing[x], above = (terrain[x] - low - rows->datum[x]) / (height > 0 ? height : 1);
        float u = height > 0 ? oro_clamp(above, -1e8F, 1e8F) : 0, step = oro_floor(u);
        float below = border(step, unevenness, borders), next = border(step + 1, unevenness, borders);
        step += u < below ? -1 : u >= next ? 1 : 0;
        float bottom = border(step, unevenness, borders),
              size = border(step + 1, unevenness, borders) - bottom;
        float t = oro_clamp((u - bottom) / size, 0, 1);
        rows->size[x] = height * size;
        rows->t[x] = t;
        rows->number[x] = of_step(step, numbers);
        sharp[x] = sharpened(t, sharpness[x], riser[x]);
    }
    oro_profile_row(&k->profile, tile->width, sharp, rows->bent, slope);
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        rows->height[x] = terrain[x] + rows->size[x] * (rows->bent[x] - rows->t[x]);
}

static ORO_CLONES void cut(const void *user, const struct oro_tile *tile)
{
    const struct terrace *k = user;
    struct oro_gradient_layer layers[OCTAVES];
    struct rows rows;
    for (int i = 0; i < OCTAVES; i++)
        oro_gradient_layer(&k->layers, i, oro_hash_number(k->bends + (uint32_t)i), oro_noise_box(tile),
                           &layers[i]);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        find_datum(k, layers, tile, y, rows.datum);
        find_steps(k, tile, y, &rows);
        oro_set_row(&k->ground, tile->x, y, tile->width, rows.height);
        oro_set_row(&k->step, tile->x, y, tile->width, rows.t);
        oro_set_row(&k->layer, tile->x, y, tile->width, rows.number);
    }
}

ORO_PROCESSOR(filter, terrace)
{
    enum { SPACING, COUNT };
    struct oro_turn direction = oro_sincos(oro_run_float(run, "direction") * 0.01745329252F);
    struct oro_turn tilt = oro_sincos(oro_run_float(run, "tilt") * 0.01745329252F);
    uint32_t seed = (uint32_t)oro_run_int(run, "seed");
    struct terrace k = {
        .grid = run->grid,
        .layers = oro_noise_layers_of(run),
        .terrain = oro_run_map(run, "terrain"),
        .spacing = oro_run_map(run, "spacing"),
        .sharpness = oro_run_map(run, "sharpness"),
        .riser = oro_run_map(run, "riser"),
        .roughness = oro_run_map(run, "roughness"),
        .low = oro_run_number(run, "low"),
        .dip = {tilt.sine / tilt.cosine * direction.sine, -tilt.sine / tilt.cosine * direction.cosine},
        .unevenness = 1 - oro_run_float(run, "uniformity"),
        .bends = oro_hash_number(seed),
        .borders = oro_hash_number(seed + 1),
        .numbers = oro_hash_number(seed + 2),
        .ground = oro_run_setter(run, "terrain"),
        .step = oro_run_setter(run, "step"),
        .layer = oro_run_setter(run, "layer")};
    const struct oro_profile_points *profile = oro_run_literal(run, "profile");
    float spacing = oro_run_number(run, "spacing");
    if (oro_run_int(run, "method") == COUNT)
        k.spacing = (struct oro_map){.number = spacing};
    if (!oro_run_ready(run))
        return;
    k.profile = *profile;
    oro_run_tiles(run, cut, &k);
}
