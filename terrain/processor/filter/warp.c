/* Looks up each cell where it comes from. Places are kept as a cell and the way from its centre. */
#include "terrain/processor/lib/edges.h"
#include "terrain/processor/lib/noise_layers.h"

enum method { NOISE, DIRECTION, VECTOR };

struct warp {
    struct oro_map terrain, amplitude, direction, mask;
    const float *vector; /* NULL: none is linked */
    struct oro_layer_table layers;
    enum method method;
    enum oro_edge edge;
    int octaves, iterations;
    float gain, cell;
    uint32_t seed;
    int width;
    float *out;
};

/* A place, or a way: x to the east and y to the south, in cells. */
struct ways {
    float x[ORO_TILE_WIDTH], y[ORO_TILE_WIDTH];
};

/* ---- What is known at cells, between them ---- */

struct pair {
    float x, y;
};

static struct pair pair_of(const struct warp *k, const struct oro_map *map, int x, int y)
{
    int column = oro_within_edges(k->edge, x, k->terrain.width);
    int row = oro_within_edges(k->edge, y, k->terrain.height);
    if (map == &k->amplitude)
        return (struct pair){oro_map_at(map, column, row), 0};
    if (map == &k->direction) {
        struct oro_turn turn = oro_sincos(oro_radians(oro_map_at(map, column, row)));
        return (struct pair){turn.sine, -turn.cosine};
    }
    const float *at = k->vector + 2 * ((size_t)row * (size_t)k->terrain.width + (size_t)column);
    return (struct pair){at[0], at[1]};
}

static struct pair mixed(struct pair a, struct pair b, float t)
{
    return (struct pair){oro_mix(a.x, b.x, t), oro_mix(a.y, b.y, t)};
}

/* Of the amplitude, which is one number; the direction, as a way; or the vectors, whose map is NULL. */
static struct pair between(const struct warp *k, const struct oro_map *map, int x, int y, float away_x,
                           float away_y)
{
    float whole_x = oro_floor(away_x), whole_y = oro_floor(away_y);
    float t_x = away_x - whole_x, t_y = away_y - whole_y;
    int column = x + (int)whole_x, row = y + (int)whole_y;
    struct pair nw = pair_of(k, map, column, row);
    if (t_x == 0 && t_y == 0)
        return nw;
    struct pair north = mixed(nw, pair_of(k, map, column + 1, row), t_x);
    struct pair south = mixed(pair_of(k, map, column, row + 1), pair_of(k, map, column + 1, row + 1), t_x);
    return mixed(north, south, t_y);
}

/* ---- Ways ---- */

ORO_INLINE void add_octave(const struct warp *k, int layer, float strength, int width, const struct ways *at,
                           float *sum)
{
    const struct oro_noise_layer noise = oro_noise_layer(&k->layers, layer);
    uint32_t seed = oro_hash_number(k->seed + (uint32_t)layer);
#pragma omp simd
    for (int i = 0; i < width; i++)
        sum[i] += strength * oro_gradient_noise(oro_layer_place(&noise, at->x[i], at->y[i]), seed);
}

ORO_INLINE void noise_ways(const struct warp *k, const struct oro_tile *tile, int y, const struct ways *away,
                           struct ways *way)
{
    struct ways at;
    float strength = 1, total = 0;
#pragma omp simd
    for (int i = 0; i < tile->width; i++) {
        at.x[i] = (float)(tile->x + i) + 0.5F + away->x[i];
        at.y[i] = (float)y + 0.5F + away->y[i];
        way->x[i] = way->y[i] = 0;
    }
    for (int octave = 0; octave < k->octaves; octave++, strength *= k->gain) {
        add_octave(k, 2 * octave, strength, tile->width, &at, way->x);
        add_octave(k, 2 * octave + 1, strength, tile->width, &at, way->y);
        total += strength;
    }
#pragma omp simd
    for (int i = 0; i < tile->width; i++) {
        way->x[i] /= total;
        way->y[i] /= total;
    }
}

static void linked_ways(const struct warp *k, const struct oro_map *map, const struct oro_tile *tile, int y,
                        const struct ways *away, struct ways *way)
{
    for (int i = 0; i < tile->width; i++) {
        struct pair found = between(k, map, tile->x + i, y, away->x[i], away->y[i]);
        way->x[i] = found.x;
        way->y[i] = found.y;
    }
}

/* Moves the places of a row on. */
ORO_INLINE void step(const struct warp *k, const struct oro_tile *tile, int y, const float *mask,
                     struct ways *away)
{
    struct ways way, amplitude;
    if (k->method == NOISE)
        noise_ways(k, tile, y, away, &way);
    else
        linked_ways(k, k->method == DIRECTION ? &k->direction : NULL, tile, y, away, &way);
    linked_ways(k, &k->amplitude, tile, y, away, &amplitude);
#pragma omp simd
    for (int i = 0; i < tile->width; i++) {
        float strength = mask[i] / k->cell;
        away->x[i] = oro_clamp(away->x[i] - strength * amplitude.x[i] * way.x[i], -1e6F, 1e6F);
        away->y[i] = oro_clamp(away->y[i] - strength * amplitude.x[i] * way.y[i], -1e6F, 1e6F);
    }
}

static ORO_CLONES void warp(const void *user, const struct oro_tile *tile)
{
    const struct warp *k = user;
    const struct oro_edged terrain = {k->terrain.values, k->terrain.width, k->terrain.height, k->edge};
    float scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch);
        float *out = k->out + (size_t)y * (size_t)k->width + tile->x;
        struct ways away = {0};
        for (int i = 0; i < k->iterations; i++)
            step(k, tile, y, mask, &away);
        for (int i = 0; i < tile->width; i++)
            out[i] = oro_edged_surface(&terrain, tile->x + i, y, away.x[i], away.y[i]);
    }
}

ORO_PROCESSOR(filter, warp)
{
    struct warp k = {.terrain = oro_run_map(run, "terrain"),
                     .amplitude = oro_run_map(run, "amplitude"),
                     .direction = oro_run_map(run, "direction"),
                     .mask = oro_run_map(run, "mask"),
                     .vector = oro_run_optional(run, "vector"),
                     .layers = oro_noise_layers_of(run),
                     .method = (enum method)oro_run_int(run, "method"),
                     .edge = (enum oro_edge)oro_run_int(run, "edge"),
                     .octaves = oro_run_int(run, "octaves"),
                     .iterations = oro_run_int(run, "iterations"),
                     .gain = oro_run_float(run, "gain"),
                     .cell = run->grid.cell,
                     .seed = oro_hash_number((uint32_t)oro_run_int(run, "seed")),
                     .width = run->grid.width,
                     .out = oro_run_buffer(run, "terrain_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, warp, &k);
}
