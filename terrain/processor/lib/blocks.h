/* Square blocks of cells, those of the last row and column cut off by the edge; what is known at their
 * centres: gles_shaders/lib/blocks.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_BLOCKS_H
#define ORO_TERRAIN_PROCESSOR_LIB_BLOCKS_H

#include "terrain/processor/lib/bicubic.h"

struct oro_blocks {
    const float *values;
    int width, height, side; /* of the raster; cells along a block */
};

/* Adds up, in each of `count` blocks that begin at `cells`, `columns` by `rows` of their cells: squares, or
 * what they lie above the first cell, as sums of large numbers lose precision. `side` and `squares` are known
 * when the function is compiled, if possible. */
ORO_INLINE void oro_block_sums(const float *cells, size_t width, int side, int columns, int rows, int count,
                               bool squares, float *sums)
{
#pragma omp simd
    for (int i = 0; i < count; i++)
        sums[i] = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const float *row = cells + (size_t)y * width + x;
#pragma omp simd
            for (int i = 0; i < count; i++) {
                float value = row[i * side];
                sums[i] += squares ? value * value : value - cells[i * side];
            }
        }
}

/* The means of these in the blocks of a row of a tile. */
ORO_INLINE void oro_block_means(const struct oro_blocks *blocks, const struct oro_tile *tile, int y,
                                bool squares, float *means)
{
    int side = blocks->side, below = blocks->height - y * side, whole = blocks->width / side - tile->x;
    int rows = below < side ? below : side, count = whole < tile->width ? whole : tile->width;
    size_t width = (size_t)blocks->width;
    const float *cells = blocks->values + (size_t)(y * side) * width + (size_t)(tile->x * side);
    if (side == 2)
        oro_block_sums(cells, width, 2, 2, rows, count, squares, means);
    else
        oro_block_sums(cells, width, side, side, rows, count, squares, means);
    float size = (float)(side * rows);
#pragma omp simd
    for (int i = 0; i < count; i++)
        means[i] /= size;
    if (count == tile->width)
        return;
    int columns = blocks->width % side;
    oro_block_sums(cells + (size_t)(count * side), width, side, columns, rows, 1, squares, means + count);
    means[count] /= (float)(columns * rows);
}

/* Where the cells of a tile lie among the centres of blocks. */
ORO_INLINE void oro_among_blocks(int side, const struct oro_tile *tile, struct oro_taps_row *taps)
{
    for (int x = 0; x < tile->width; x++)
        oro_taps_put(taps, x, oro_b_spline_taps(((float)(tile->x + x) + 0.5F) / (float)side - 0.5F));
}

/* The smooth surface through a raster of blocks, at the cells of row y. Beyond the edges the raster goes on.
 */
ORO_INLINE void oro_blocks_surface(const struct oro_map *raster, int side, const struct oro_taps_row *taps,
                                   int y, int width, float *values)
{
    struct oro_taps down = oro_b_spline_taps(((float)y + 0.5F) / (float)side - 0.5F);
    float scratch[ORO_TAPS_COLUMNS], sums[ORO_TAPS_COLUMNS];
#pragma omp simd
    for (int i = 0; i < taps->count; i++)
        sums[i] = 0;
    for (int j = 0; j < 4; j++) {
        const float *row = oro_map_row(raster, taps->start, down.first + j, taps->count, scratch);
        float weight = down.weight[j];
#pragma omp simd
        for (int i = 0; i < taps->count; i++)
            sums[i] += weight * row[i];
    }
#pragma omp simd
    for (int x = 0; x < width; x++) {
        int first = taps->first[x];
        values[x] = taps->weight[0][x] * sums[first] + taps->weight[1][x] * sums[first + 1] +
                    taps->weight[2][x] * sums[first + 2] + taps->weight[3][x] * sums[first + 3];
    }
}

#endif
