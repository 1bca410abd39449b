/* Looks up each cell where it comes from (gles_shaders/filter/warp.comp). Places are kept as a whole cell and
 * the way from its centre, so that ground which is not moved keeps its bits. */
#include "terrain/processor/lib/bicubic.h"
#include "terrain/processor/lib/noise_layers.h"

enum { NOISE, DIRECTION, VECTOR }; /* method */
enum { HOLD, REPEAT, MIRROR };     /* edge */
enum { WIDTH = ORO_TILE_WIDTH };

struct warp {
    struct oro_run_grid grid, source;
    struct oro_layer_table layers;
    int method, edge, iterations, octaves;
    float gain;
    uint32_t seed;
    struct oro_map terrain, amplitude, direction, mask;
    const float *vector; /* NULL: not linked */
    float *out;
};

/* How far the ground of a row comes from, in cells; the way that an iteration moves it. */
struct rows {
    float east[WIDTH], south[WIDTH];
    float way_x[WIDTH], way_y[WIDTH];
};

/* ---- Cells beyond the edge (lib/edges.glsl) ---- */

ORO_INLINE int wrapped(int i, int n)
{
    int rest = i % n;
    return rest < 0 ? rest + n : rest;
}

ORO_INLINE int within(int i, int n, int edge)
{
    if (i >= 0 && i < n)
        return i;
    if (edge == REPEAT)
        return wrapped(i, n);
    if (edge == MIRROR) {
        int there = wrapped(i, 2 * n);
        return there < n ? there : 2 * n - 1 - there;
    }
    return i < 0 ? 0 : n - 1;
}

/* ---- Between the centres of cells ---- */

struct place {
    int x[2], y[2];
    float s, t; /* of the way from the first to the second */
};

ORO_INLINE struct place place_of(const struct warp *k, int x, int y, float east, float south)
{
    float column = oro_floor(east), row = oro_floor(south);
    struct place at = {.s = east - column, .t = south - row};
    for (int i = 0; i < 2; i++) {
        at.x[i] = within(x + (int)column + i, k->source.width, k->edge);
        at.y[i] = within(y + (int)row + i, k->source.height, k->edge);
    }
    return at;
}

ORO_INLINE float between(struct place at, float nw, float ne, float sw, float se)
{
    bool still = at.s == 0 && at.t == 0;
    return still ? nw : oro_mix(oro_mix(nw, ne, at.s), oro_mix(sw, se, at.s), at.t);
}

static float map_between(const struct oro_map *map, struct place at)
{
    if (!map->values)
        return map->number;
    return between(at, oro_map_at(map, at.x[0], at.y[0]), oro_map_at(map, at.x[1], at.y[0]),
                   oro_map_at(map, at.x[0], at.y[1]), oro_map_at(map, at.x[1], at.y[1]));
}

/* Sine and, negative, cosine of a bearing: the way to the east and to the south. */
static void compass_between(const struct warp *k, struct place at, float way[2])
{
    float east[4], south[4];
    int corners = k->direction.values ? 4 : 1;
    for (int i = 0; i < corners; i++) {
        float bearing = oro_map_at(&k->direction, at.x[i % 2], at.y[i / 2]);
        struct oro_turn turn = oro_sincos(bearing * 0.01745329252F);
        east[i] = turn.sine;
        south[i] = -turn.cosine;
    }
    way[0] = corners == 1 ? east[0] : between(at, east[0], east[1], east[2], east[3]);
    way[1] = corners == 1 ? south[0] : between(at, south[0], south[1], south[2], south[3]);
}

static void vector_between(const struct warp *k, struct place at, float way[2])
{
    const float *v[4];
    for (int i = 0; i < 4; i++)
        v[i] = k->vector + 2 * ((size_t)at.y[i / 2] * (size_t)k->source.width + (size_t)at.x[i % 2]);
    for (int axis = 0; axis < 2; axis++)
        way[axis] = between(at, v[0][axis], v[1][axis], v[2][axis], v[3][axis]);
}

/* ---- Iterations ---- */

/* By noise: the odd layers move to the south, the others to the east. */
ORO_INLINE void noise_ways(const struct warp *k, int first, int y, int width, struct rows *rows)
{
    float px[WIDTH], py[WIDTH], strength = 1, total = 0;
    for (int x = 0; x < width; x++) {
        px[x] = (float)(first + x) + 0.5F + rows->east[x];
        py[x] = (float)y + 0.5F + rows->south[x];
        rows->way_x[x] = rows->way_y[x] = 0;
    }
    for (int i = 0; i < k->octaves; i++, strength *= k->gain) {
        for (int axis = 0; axis < 2; axis++) {
            float *way = axis == 0 ? rows->way_x : rows->way_y;
            const struct oro_noise_layer layer = oro_noise_layer(&k->layers, 2 * i + axis);
            uint32_t seed = oro_hash_number(k->seed + (uint32_t)(2 * i + axis));
#pragma omp simd
            for (int x = 0; x < width; x++)
                way[x] += strength * oro_gradient_noise(oro_layer_place(&layer, px[x], py[x]), seed);
        }
        total += strength;
    }
    for (int x = 0; x < width; x++) {
        rows->way_x[x] /= total;
        rows->way_y[x] /= total;
    }
}

ORO_INLINE void move(const struct warp *k, const struct oro_tile *tile, int y, struct rows *rows)
{
    if (k->method == NOISE)
        noise_ways(k, tile->x, y, tile->width, rows);
    for (int x = 0; x < tile->width; x++) {
        float way[2] = {rows->way_x[x], rows->way_y[x]};
        struct place at = place_of(k, tile->x + x, y, rows->east[x], rows->south[x]);
        if (k->method == DIRECTION)
            compass_between(k, at, way);
        if (k->method == VECTOR)
            vector_between(k, at, way);
        float far = oro_map_at(&k->mask, tile->x + x, y) / k->grid.cell * map_between(&k->amplitude, at);
        /* In this order also what is not a number becomes one. */
        rows->east[x] = oro_min(oro_max(-1e6F, rows->east[x] - far * way[0]), 1e6F);
        rows->south[x] = oro_min(oro_max(-1e6F, rows->south[x] - far * way[1]), 1e6F);
    }
}

/* Relative to the nearest cell: sums of large numbers lose precision. */
static float ground_at(const struct warp *k, int x, int y, float east, float south)
{
    float column = oro_floor(east), row = oro_floor(south), change = 0;
    struct oro_weights wx = oro_catmull_rom(east - column), wy = oro_catmull_rom(south - row);
    int columns[4];
    for (int i = 0; i < 4; i++)
        columns[i] = within(x + (int)column + i - 1, k->source.width, k->edge);
    int here = within(y + (int)row, k->source.height, k->edge);
    float middle = k->terrain.values[(size_t)here * (size_t)k->source.width + (size_t)columns[1]];
    for (int j = 0; j < 4; j++) {
        int there = within(y + (int)row + j - 1, k->source.height, k->edge);
        const float *heights = k->terrain.values + (size_t)there * (size_t)k->source.width;
        for (int i = 0; i < 4; i++)
            change += wy.w[j] * wx.w[i] * (heights[columns[i]] - middle);
    }
    return middle + change;
}

static ORO_CLONES void bend(const void *user, const struct oro_tile *tile)
{
    const struct warp *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct rows rows = {0};
        for (int i = 0; i < k->iterations; i++)
            move(k, tile, y, &rows);
        float *out = k->out + (size_t)y * (size_t)k->grid.width + tile->x;
        for (int x = 0; x < tile->width; x++)
            out[x] = ground_at(k, tile->x + x, y, rows.east[x], rows.south[x]);
    }
}

ORO_PROCESSOR(filter, warp)
{
    struct warp k = {.grid = run->grid,
                     .source = run->source,
                     .layers = oro_noise_layers_of(run),
                     .method = oro_run_int(run, "method"),
                     .edge = oro_run_int(run, "edge"),
                     .iterations = oro_run_int(run, "iterations"),
                     .octaves = oro_run_int(run, "octaves"),
                     .gain = oro_run_float(run, "gain"),
                     .seed = oro_hash_number((uint32_t)oro_run_int(run, "seed")),
                     .terrain = oro_run_map(run, "terrain"),
                     .amplitude = oro_run_map(run, "amplitude"),
                     .direction = oro_run_map(run, "direction"),
                     .mask = oro_run_map(run, "mask"),
                     .out = oro_run_buffer(run, "terrain_out")};
    if (k.method == VECTOR)
        k.vector = oro_run_buffer(run, "vector");
    if (oro_run_ready(run) && k.terrain.values)
        oro_run_tiles(run, bend, &k);
}
