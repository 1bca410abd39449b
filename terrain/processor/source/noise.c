/* Fractal noise (gles_shaders/source/noise.comp), octave by octave over a tile. */
#include <float.h>
#include <math.h>

#include "terrain/processor/lib/noise_layers.h"

enum { OCTAVES_MAX = 16, WARP_OCTAVES = 3 };
enum { PERLIN, SIMPLEX, VALUE };    /* method */
enum { NONE, FBM, RIDGED, BILLOW }; /* fractal */
enum { NEAREST, SECOND };           /* distance */
enum { CHUNK = 16, WIDTH = ORO_TILE_WIDTH, HEIGHT = ORO_TILE_HEIGHT };

struct noise {
    struct oro_layer_table layers;
    int method, fractal, octaves, distance;
    uint32_t seed;
    float gain, jitter, warp; /* warp: in cells */
    float offset;
    struct oro_map amplitude;
    struct oro_setter field;
};

/* Of the cells of a tile: where they look, in cells of the raster; the sum so far, and how much the next
 * octave of ridges counts. */
struct work {
    float x[HEIGHT][WIDTH], y[HEIGHT][WIDTH];
    float sum[HEIGHT][WIDTH], weight[HEIGHT][WIDTH];
};

/* ---- One layer ---- */

ORO_INLINE float shown(int distance, struct oro_worley squared)
{
    const float longest = 0.63245553F; /* 1 / sqrt(2.5) */
    float nearest = sqrtf(squared.nearest), second = sqrtf(squared.second);
    if (distance == NEAREST)
        return 1 - nearest * 1.41421356F;
    return distance == SECOND ? 1 - 2 * second * longest : 2 * (second - nearest) * longest - 1;
}

/* Squared distances of some cells of a row. */
struct distances {
    float nearest[CHUNK], second[CHUNK];
};

ORO_INLINE void add_points(const struct oro_lattice_row *places, int first, int x, int y, float jitter,
                           uint32_t seed, struct distances *found)
{
#pragma omp simd
    for (int i = 0; i < CHUNK; i++) {
        struct oro_worley before = {found->nearest[i], found->second[i]};
        struct oro_worley both =
            oro_worley_add(before, oro_lattice_at(places, first + i), x, y, jitter, seed);
        found->nearest[i] = both.nearest;
        found->second[i] = both.second;
    }
}

/* The outer ring is looked at where one of the cells needs it. */
ORO_INLINE void worley_chunk(const struct noise *k, const struct oro_lattice_row *places, int first,
                             uint32_t seed, float *value)
{
    struct distances found;
    int open = 0, distance = k->distance;
    for (int i = 0; i < CHUNK; i++)
        found.nearest[i] = found.second[i] = 1e9F;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            add_points(places, first, x, y, k->jitter, seed, &found);
#pragma omp simd reduction(| : open)
    for (int i = 0; i < CHUNK; i++)
        open |= oro_worley_open((struct oro_worley){found.nearest[i], found.second[i]},
                                oro_lattice_at(places, first + i));
    for (int y = -2; open && y <= 2; y++)
        for (int x = -2; x <= 2; x += y == -2 || y == 2 ? 1 : 4)
            add_points(places, first, x, y, k->jitter, seed, &found);
#pragma omp simd
    for (int i = 0; i < CHUNK; i++)
        value[i] = shown(distance, (struct oro_worley){found.nearest[i], found.second[i]});
}

ORO_INLINE void simplex(const struct oro_lattice_row *places, int width, uint32_t seed, float *restrict value)
{
#pragma omp simd
    for (int i = 0; i < width; i++)
        value[i] = oro_simplex_noise(oro_lattice_at(places, i), seed);
}

ORO_INLINE void blotches(const struct oro_lattice_row *places, int width, uint32_t seed,
                         float *restrict value)
{
#pragma omp simd
    for (int i = 0; i < width; i++)
        value[i] = oro_value_noise(oro_lattice_at(places, i), seed);
}

ORO_INLINE void layer_row(const struct noise *k, int layer, uint32_t seed, int width, const float *x,
                          const float *y, float *value)
{
    struct oro_lattice_row places = {0};
    oro_layer_row(oro_noise_layer(&k->layers, layer), width, x, y, &places);
    if (k->method == SIMPLEX)
        simplex(&places, width, seed, value);
    else if (k->method == VALUE)
        blotches(&places, width, seed, value);
    else
        for (int first = 0; first < width; first += CHUNK)
            worley_chunk(k, &places, first, seed, value + first);
}

/* ---- Sums of layers ---- */

/* Adds an octave to a row; the first begins it. */
ORO_INLINE void add_octave(const struct noise *k, float gain, bool begins, int width, const float *value,
                           float *sum, float *weight)
{
    int fractal = k->fractal;
#pragma omp simd
    for (int i = 0; i < width; i++) {
        float crest = 1 - oro_abs(value[i]), signal = crest * crest * (begins ? 1 : weight[i]);
        float folded = fractal == BILLOW ? 2 * oro_abs(value[i]) - 1 : value[i];
        weight[i] = oro_clamp(2 * signal, 0, 1);
        sum[i] = (begins ? 0 : sum[i]) + gain * (fractal == RIDGED ? signal : folded);
    }
}

/* Sums up the layers of a tile. */
ORO_INLINE void sum_layers(const struct noise *k, const struct oro_tile *tile, struct oro_noise_box box,
                           struct work *work)
{
    float gain = 1, value[WIDTH];
    int octaves = k->fractal == NONE ? 1 : k->octaves;
    struct oro_gradient_layer layer;
    for (int i = 0; i < octaves; i++, gain *= k->gain) {
        uint32_t seed = oro_hash_number(k->seed + (uint32_t)i);
        if (k->method == PERLIN)
            oro_gradient_layer(&k->layers, i, seed, box, &layer);
        for (int y = 0; y < tile->height; y++) {
            if (k->method == PERLIN)
                oro_gradient_layer_row(&layer, tile->width, work->x[y], work->y[y], value);
            else
                layer_row(k, i, seed, tile->width, work->x[y], work->y[y], value);
            add_octave(k, gain, i == 0, tile->width, value, work->sum[y], work->weight[y]);
        }
    }
}

/* Of all gains. */
static float total_of(const struct noise *k)
{
    float total = 0, gain = 1;
    for (int i = 0; i < k->octaves; i++, gain *= k->gain)
        total += gain;
    return k->fractal == NONE ? 1 : total;
}

/* ---- Tiles ---- */

/* Moves the places. */
ORO_INLINE void warp(const struct noise *k, const struct oro_tile *tile, struct work *work)
{
    float shift[2][HEIGHT][WIDTH] = {0}, value[WIDTH], gain = 1, total = 0;
    struct oro_gradient_layer layer;
    for (int i = 0; i < WARP_OCTAVES; i++, gain *= 0.5F) {
        for (int axis = 0; axis < 2; axis++) {
            int number = OCTAVES_MAX + 2 * i + axis;
            oro_gradient_layer(&k->layers, number, oro_hash_number(k->seed + (uint32_t)number),
                               oro_noise_box(tile), &layer);
            for (int y = 0; y < tile->height; y++) {
                oro_gradient_layer_row(&layer, tile->width, work->x[y], work->y[y], value);
                for (int x = 0; x < tile->width; x++)
                    shift[axis][y][x] += gain * value[x];
            }
        }
        total += gain;
    }
    for (int y = 0; y < tile->height; y++)
        for (int x = 0; x < tile->width; x++) {
            work->x[y][x] += shift[0][y][x] / total * k->warp;
            work->y[y][x] += shift[1][y][x] / total * k->warp;
        }
}

/* What lies around all places. */
ORO_INLINE struct oro_noise_box box_of(const struct oro_tile *tile, const struct work *work)
{
    float west = FLT_MAX, east = -FLT_MAX, north = FLT_MAX, south = -FLT_MAX;
    for (int y = 0; y < tile->height; y++) {
#pragma omp simd reduction(min : west, north) reduction(max : east, south)
        for (int x = 0; x < tile->width; x++) {
            west = oro_min(west, work->x[y][x]);
            east = oro_max(east, work->x[y][x]);
            north = oro_min(north, work->y[y][x]);
            south = oro_max(south, work->y[y][x]);
        }
    }
    return (struct oro_noise_box){west, east, north, south};
}

static ORO_CLONES void fill_noise(const void *user, const struct oro_tile *tile)
{
    const struct noise *k = user;
    struct work work;
    float scratch[WIDTH], total = total_of(k);
    for (int y = 0; y < tile->height; y++)
        for (int x = 0; x < tile->width; x++) {
            work.x[y][x] = (float)(tile->x + x) + 0.5F;
            work.y[y][x] = (float)(tile->y + y) + 0.5F;
        }
    if (k->warp > 0)
        warp(k, tile, &work);
    sum_layers(k, tile, box_of(tile, &work), &work);
    for (int y = 0; y < tile->height; y++) {
        const float *amplitude = oro_map_row(&k->amplitude, tile->x, tile->y + y, tile->width, scratch);
        float *sum = work.sum[y], offset = k->offset;
        bool ridged = k->fractal == RIDGED;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float value = ridged ? 2 * (sum[x] / total) - 1 : sum[x] / total;
            sum[x] = offset + amplitude[x] * oro_clamp(value, -1, 1);
        }
        oro_set_row(&k->field, tile->x, tile->y + y, tile->width, sum);
    }
}

ORO_PROCESSOR(source, noise)
{
    struct noise k = {.layers = oro_noise_layers_of(run),
                      .method = oro_run_int(run, "method"),
                      .fractal = oro_run_int(run, "fractal"),
                      .octaves = oro_run_int(run, "octaves"),
                      .distance = oro_run_int(run, "distance"),
                      .seed = (uint32_t)oro_run_int(run, "seed"),
                      .gain = oro_run_float(run, "gain"),
                      .jitter = oro_run_float(run, "jitter"),
                      .warp = oro_run_float(run, "warp") / run->grid.cell,
                      .offset = oro_run_float(run, "offset"),
                      .amplitude = oro_run_map(run, "amplitude"),
                      .field = oro_run_setter(run, "field")};
    if (oro_run_ready(run))
        oro_run_tiles(run, fill_noise, &k);
}
