/* Layers of noise that are fixed to the world: gles_shaders/lib/noise_layers.glsl, for vector loops. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_NOISE_LAYERS_H
#define ORO_TERRAIN_PROCESSOR_LIB_NOISE_LAYERS_H

#include "terrain/processor/lib/noise.h"
#include "terrain/processor/run.h"

struct oro_noise_layers {
    const float *turn;
    const int32_t *lattice;
};

ORO_INLINE struct oro_noise_layers oro_noise_layers_of(struct oro_run *run)
{
    return (struct oro_noise_layers){oro_run_buffer(run, "turn"), oro_run_buffer(run, "lattice")};
}

/* Where a layer's lattice lies. */
struct oro_noise_layer {
    float xx, xy, yx, yy, u, v;
    int32_t x, y;
};

ORO_INLINE struct oro_noise_layer oro_noise_layer(const struct oro_noise_layers *layers, int number)
{
    const float *turn = layers->turn + (size_t)number * 8;
    const int32_t *cell = layers->lattice + (size_t)number * 2;
    return (struct oro_noise_layer){turn[0], turn[1], turn[2], turn[3], turn[4], turn[5], cell[0], cell[1]};
}

/* Places of a row of a tile in a lattice. */
struct oro_lattice_row {
    int32_t x[ORO_TILE_WIDTH], y[ORO_TILE_WIDTH];
    float u[ORO_TILE_WIDTH], v[ORO_TILE_WIDTH];
};

ORO_INLINE struct oro_lattice_place oro_lattice_at(const struct oro_lattice_row *row, int i)
{
    return (struct oro_lattice_place){row->x[i], row->y[i], row->u[i], row->v[i]};
}

/* `x` and `y` in cells of the raster. The sums' order is that of a driver: in fine lattices rounding shows.
 */
ORO_INLINE float oro_layer_u(const struct oro_noise_layer *layer, float x, float y)
{
    return layer->xx * x + (layer->xy * y + layer->u);
}

ORO_INLINE float oro_layer_v(const struct oro_noise_layer *layer, float x, float y)
{
    return layer->yx * x + (layer->yy * y + layer->v);
}

ORO_INLINE struct oro_lattice_place oro_layer_place(const struct oro_noise_layer *layer, float x, float y)
{
    return oro_lattice_reduce(layer->x, layer->y, oro_layer_u(layer, x, y), oro_layer_v(layer, x, y));
}

ORO_INLINE void oro_layer_row(struct oro_noise_layer layer, int width, const float *x, const float *y,
                              struct oro_lattice_row *row)
{
#pragma omp simd
    for (int i = 0; i < width; i++) {
        struct oro_lattice_place place = oro_layer_place(&layer, x[i], y[i]);
        row->x[i] = place.x;
        row->y[i] = place.y;
        row->u[i] = place.u;
        row->v[i] = place.v;
    }
}

/* ---- Gradient noise whose gradients are shared by the cells of a tile ---- */

/* The gradients of a part of a lattice. */
enum { ORO_GRADIENTS_MAX = 1024 };
struct oro_gradient_table {
    int32_t x, y; /* of the first corner */
    int columns, rows;
    float east[ORO_GRADIENTS_MAX], south[ORO_GRADIENTS_MAX];
};

struct oro_gradient_layer {
    struct oro_noise_layer at;
    uint32_t seed;
    bool shares; /* the lattice is wide enough for the table */
    struct oro_gradient_table table;
};

/* Places in the raster: all that a tile looks at. */
struct oro_noise_box {
    float west, east, north, south;
};

ORO_INLINE struct oro_noise_box oro_noise_box(const struct oro_tile *tile)
{
    return (struct oro_noise_box){(float)tile->x, (float)(tile->x + tile->width), (float)tile->y,
                                  (float)(tile->y + tile->height)};
}

/* Whether the gradients from one lattice cell to another find room; then they are laid. */
ORO_INLINE bool oro_gradients_lay(struct oro_gradient_table *table, struct oro_lattice_place first,
                                  struct oro_lattice_place last, uint32_t seed)
{
    uint32_t columns = (uint32_t)last.x - (uint32_t)first.x + 2,
             rows = (uint32_t)last.y - (uint32_t)first.y + 2;
    if ((uint64_t)columns * rows > ORO_GRADIENTS_MAX)
        return false;
    table->x = first.x;
    table->y = first.y;
    table->columns = (int)columns;
    table->rows = (int)rows;
    uint32_t seeded = oro_hash_number(seed);
    for (int j = 0; j < table->rows; j++) {
        uint32_t row = (uint32_t)first.x + oro_hash_number((uint32_t)first.y + (uint32_t)j + seeded);
        float *east = table->east + j * table->columns, *south = table->south + j * table->columns;
#pragma omp simd
        for (int i = 0; i < table->columns; i++) {
            struct oro_gradient gradient = oro_noise_gradient(oro_hash_number((uint32_t)i + row));
            east[i] = gradient.x;
            south[i] = gradient.y;
        }
    }
    return true;
}

/* The coordinates grow or fall steadily over the box, however they are rounded: its corners have the bounds.
 */
ORO_INLINE void oro_gradient_layer(const struct oro_noise_layers *layers, int number, uint32_t seed,
                                   struct oro_noise_box box, struct oro_gradient_layer *layer)
{
    const struct oro_noise_layer at = oro_noise_layer(layers, number);
    bool west = at.xx < 0, north = at.xy < 0; /* whether u is largest there; then v */
    float low_u = oro_layer_u(&at, west ? box.east : box.west, north ? box.south : box.north);
    float high_u = oro_layer_u(&at, west ? box.west : box.east, north ? box.north : box.south);
    west = at.yx < 0, north = at.yy < 0;
    float low_v = oro_layer_v(&at, west ? box.east : box.west, north ? box.south : box.north);
    float high_v = oro_layer_v(&at, west ? box.west : box.east, north ? box.north : box.south);
    layer->at = at;
    layer->seed = seed;
    layer->shares = oro_gradients_lay(&layer->table, oro_lattice_reduce(at.x, at.y, low_u, low_v),
                                      oro_lattice_reduce(at.x, at.y, high_u, high_v), seed);
}

/* Gradients around the cells of a row, with room for a vector behind it. */
enum { ORO_SPREAD = 8, ORO_SPREAD_ROW = ORO_TILE_WIDTH + ORO_SPREAD };
struct oro_gradient_row {
    float gradients[8][ORO_SPREAD_ROW];
};

/* Cells of a row that lie in one lattice cell have the same gradients: these are written for each run of
 * such. */
ORO_INLINE void oro_gradients_spread(const struct oro_gradient_table *table, const int *index, int width,
                                     struct oro_gradient_row *row)
{
    int starts[ORO_TILE_WIDTH + 1] = {0}, runs = 1;
    for (int i = 1; i < width; i++) {
        starts[runs] = i;
        runs += index[i] != index[i - 1];
    }
    starts[runs] = width;
    for (int r = 0; r < runs; r++) {
        int nw = index[starts[r]], sw = nw + table->columns;
        float around[8] = {table->east[nw], table->south[nw], table->east[nw + 1], table->south[nw + 1],
                           table->east[sw], table->south[sw], table->east[sw + 1], table->south[sw + 1]};
        for (int i = starts[r]; i < starts[r + 1]; i += ORO_SPREAD)
            for (int j = 0; j < 8; j++)
                for (int l = 0; l < ORO_SPREAD; l++)
                    row->gradients[j][i + l] = around[j];
    }
}

ORO_INLINE void oro_gradients_put(struct oro_gradient_row *row, int i, const struct oro_gradients *around)
{
    float(*g)[ORO_SPREAD_ROW] = row->gradients;
    g[0][i] = around->nw.x;
    g[1][i] = around->nw.y;
    g[2][i] = around->ne.x;
    g[3][i] = around->ne.y;
    g[4][i] = around->sw.x;
    g[5][i] = around->sw.y;
    g[6][i] = around->se.x;
    g[7][i] = around->se.y;
}

ORO_INLINE struct oro_gradients oro_gradients_at(const struct oro_gradient_row *row, int i)
{
    const float(*g)[ORO_SPREAD_ROW] = row->gradients;
    return (struct oro_gradients){
        {g[0][i], g[1][i]}, {g[2][i], g[3][i]}, {g[4][i], g[5][i]}, {g[6][i], g[7][i]}};
}

/* The noise of a row of cells; `x` and `y` are their places, within the layer's box. */
ORO_INLINE void oro_gradient_layer_row(const struct oro_gradient_layer *layer, int width, const float *x,
                                       const float *y, float *restrict value)
{
    struct oro_lattice_row places;
    struct oro_gradient_row row;
    int index[ORO_TILE_WIDTH], columns = layer->table.columns;
    int32_t first_x = layer->table.x, first_y = layer->table.y;
    uint32_t seed = layer->seed;
    oro_layer_row(layer->at, width, x, y, &places);
    if (!layer->shares) {
#pragma omp simd
        for (int i = 0; i < width; i++)
            value[i] = oro_gradient_noise(oro_lattice_at(&places, i), seed);
        return;
    }
#pragma omp simd
    for (int i = 0; i < width; i++)
        index[i] = (places.y[i] - first_y) * columns + places.x[i] - first_x;
    oro_gradients_spread(&layer->table, index, width, &row);
#pragma omp simd
    for (int i = 0; i < width; i++) {
        struct oro_gradients g = oro_gradients_at(&row, i);
        value[i] = oro_gradient_noise_of(&g, places.u[i], places.v[i]);
    }
}

#endif
