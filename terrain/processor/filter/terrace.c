/* Steps. Heights above the beds' datum are counted in steps: step k is from border(k) to border(k + 1). */
#include "terrain/processor/lib/noise_layers.h"
#include "terrain/processor/lib/profile.h"
#include "terrain/processor/run.h"

enum { OCTAVES = 5 };
enum input { SPACING, SHARPNESS, RISER, ROUGHNESS, INPUTS };
static const char *const inputs[INPUTS] = {"spacing", "sharpness", "riser", "roughness"};

struct terrace {
    struct oro_map terrain, maps[INPUTS];
    struct oro_layer_table layers;
    struct oro_profile profile;
    struct oro_run_grid grid;
    float low, uneven;             /* uneven: how far steps differ in height */
    float east, south;             /* how steeply the beds fall */
    uint32_t seed, sizes, numbers; /* sizes, numbers: hashed seeds of the steps */
    struct oro_setter out, step, layer;
};

/* A number of step k alone, 0..1. */
ORO_INLINE float of_step(float k, uint32_t seed)
{
    return oro_hash_unit(oro_hash_number((uint32_t)(int32_t)k + seed));
}

ORO_INLINE float border(float k, float uneven, uint32_t seed)
{
    return k + uneven * (of_step(k, seed) - 0.5F);
}

/* From 0..1 to 0..1: level at both ends, steepest at the riser, where two powers meet. */
ORO_INLINE float sharpened(float t, float sharpness, float riser)
{
    bool below = t < riser;
    float way = below ? riser : 1 - riser, part = (below ? t : 1 - t) / (below ? riser : oro_max(way, 1e-6F));
    float curve = way * oro_power(part, 1 / (1 - oro_min(sharpness, 0.9999999F)));
    float cliff = below | (t == 0) ? 0.0F : 1.0F, bent = below ? curve : 1 - curve;
    bent = sharpness >= 1 ? cliff : bent;
    return sharpness > 0 ? bent : t;
}

/* ---- The beds ---- */

struct beds {
    bool rough;
    struct oro_gradient_layer layers[OCTAVES];
};

ORO_INLINE void lay_beds(const struct terrace *k, const struct oro_tile *tile, struct beds *beds)
{
    beds->rough = !oro_map_is(&k->maps[ROUGHNESS], 0);
    for (int i = 0; beds->rough && i < OCTAVES; i++)
        oro_gradient_layer(&k->layers, i, oro_hash_number(k->seed + (uint32_t)i), oro_noise_box(tile),
                           &beds->layers[i]);
}

/* How far the beds lie above level ones, in metres. */
ORO_INLINE void find_datum(const struct terrace *k, const struct oro_tile *tile, int y,
                           const struct beds *beds, const float *roughness, float *datum)
{
    float at_x[ORO_TILE_WIDTH], at_y[ORO_TILE_WIDTH], value[ORO_TILE_WIDTH], strength = 1, total = 0;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        at_x[x] = (float)(tile->x + x) + 0.5F;
        at_y[x] = (float)y + 0.5F;
        datum[x] = 0;
    }
    for (int i = 0; beds->rough && i < OCTAVES; i++, strength *= 0.5F) {
        oro_gradient_layer_row(&beds->layers[i], tile->width, at_x, at_y, value);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            datum[x] += strength * value[x];
        total += strength;
    }
    float per_total = beds->rough ? 1 / total : 0;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float east = k->grid.x + at_x[x] * k->grid.cell, south = k->grid.y + at_y[x] * k->grid.cell;
        datum[x] = roughness[x] * (datum[x] * per_total) - (east * k->east + south * k->south);
    }
}

/* ---- Steps ---- */

/* Of a row: the heights of steps, the places in them, and their numbers. */
struct steps {
    float size[ORO_TILE_WIDTH], place[ORO_TILE_WIDTH], layer[ORO_TILE_WIDTH];
};

ORO_INLINE void find_steps(const struct terrace *k, int width, const float *terrain, const float *spacing,
                           const float *datum, struct steps *steps)
{
    float uneven = k->uneven;
    uint32_t sizes = k->sizes, numbers = k->numbers;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float above = oro_clamp((terrain[x] - k->low - datum[x]) / spacing[x], -1e8F, 1e8F);
        float u = spacing[x] > 0 ? above : 0, number = oro_floor(u);
        float down = u < border(number, uneven, sizes) ? 1.0F : 0.0F;
        float up = u >= border(number + 1, uneven, sizes) ? 1 - down : 0;
        number += up - down;
        float bottom = border(number, uneven, sizes), size = border(number + 1, uneven, sizes) - bottom;
        steps->size[x] = spacing[x] * size;
        steps->place[x] = oro_clamp((u - bottom) / size, 0, 1);
        steps->layer[x] = of_step(number, numbers);
    }
}

ORO_INLINE void cut_row(const struct terrace *k, const struct oro_tile *tile, int y, const struct beds *beds)
{
    float scratch[INPUTS + 1][ORO_TILE_WIDTH], out[ORO_TILE_WIDTH], bent[ORO_TILE_WIDTH];
    const float *terrain = oro_map_row(&k->terrain, tile->x, y, tile->width, scratch[INPUTS]), *maps[INPUTS];
    struct steps steps;
    for (int i = 0; i < INPUTS; i++)
        maps[i] = oro_map_row(&k->maps[i], tile->x, y, tile->width, scratch[i]);
    find_datum(k, tile, y, beds, maps[ROUGHNESS], out);
    find_steps(k, tile->width, terrain, maps[SPACING], out, &steps);
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        out[x] = sharpened(steps.place[x], maps[SHARPNESS][x], maps[RISER][x]);
    oro_profile_row(&k->profile, tile->width, out, bent);
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        out[x] = terrain[x] + steps.size[x] * (bent[x] - steps.place[x]);
    oro_set_row(&k->out, tile->x, y, tile->width, out);
    oro_set_row(&k->step, tile->x, y, tile->width, steps.place);
    oro_set_row(&k->layer, tile->x, y, tile->width, steps.layer);
}

static ORO_CLONES void cut(const void *user, const struct oro_tile *tile)
{
    const struct terrace *k = user;
    struct beds beds;
    lay_beds(k, tile, &beds);
    for (int y = tile->y; y < tile->y + tile->height; y++)
        cut_row(k, tile, y, &beds);
}

ORO_PROCESSOR(filter, terrace)
{
    enum { METHOD_SPACING, METHOD_COUNT };
    uint32_t seed = (uint32_t)oro_run_int(run, "seed");
    struct oro_turn tilt = oro_sincos(oro_radians(oro_run_float(run, "tilt")));
    struct oro_turn to = oro_sincos(oro_radians(oro_run_float(run, "direction")));
    struct terrace k = {.terrain = oro_run_map(run, "terrain"),
                        .layers = oro_noise_layers_of(run),
                        .grid = run->grid,
                        .low = oro_run_number(run, "low"),
                        .uneven = (1 - oro_run_float(run, "uniformity")) * 0.9F,
                        .east = tilt.sine / tilt.cosine * to.sine,
                        .south = -tilt.sine / tilt.cosine * to.cosine,
                        .seed = oro_hash_number(seed),
                        .sizes = oro_hash_number(seed + 1),
                        .numbers = oro_hash_number(seed + 2),
                        .out = oro_run_setter(run, "terrain"),
                        .step = oro_run_setter(run, "step"),
                        .layer = oro_run_setter(run, "layer")};
    const void *profile = oro_run_literal(run, "profile");
    for (int i = 0; i < INPUTS; i++)
        k.maps[i] = oro_run_map(run, inputs[i]);
    if (oro_run_int(run, "method") == METHOD_COUNT)
        k.maps[SPACING] = (struct oro_map){.number = oro_run_number(run, "spacing")};
    if (!oro_run_ready(run))
        return;
    memcpy(&k.profile, profile, sizeof k.profile);
    oro_run_tiles(run, cut, &k);
}
