#include "terrain/processor/lib/terrain.h"

enum {
    REACH = 3,
    WIDTH = 7,
    COLUMNS = ORO_TILE_WIDTH + 2 * REACH
}; /* ORO_KRIGING_REACH, ORO_KRIGING_WIDTH */

struct means {
    struct oro_map terrain;
    const float *weights;
    int side, width;
    float *out;
};

/* The part `weights` are for, in `count` cells of a row, the first of which is cells[REACH][REACH]. */
ORO_INLINE void find_part(const float *weights, const float *cells, int count, float *found)
{
#pragma omp simd
    for (int x = 0; x < count; x++) {
        float middle = cells[REACH * COLUMNS + REACH + x], change = 0;
        for (int j = 0; j < WIDTH; j++)
            for (int i = 0; i < WIDTH; i++)
                change += weights[j * WIDTH + i] * (cells[j * COLUMNS + i + x] - middle);
        found[x] = middle + change;
    }
}

/* Row y of the tile, by parts. */
ORO_INLINE void find_row(const struct means *k, const struct oro_tile *tile, int y, int first,
                         const float *cells)
{
    float found[ORO_TILE_WIDTH], *out = k->out + (size_t)y * (size_t)k->width;
    int end = tile->x + tile->width;
    for (int part = 0; part < k->side; part++) {
        int from = first * k->side + part < tile->x ? first + 1 : first;
        int to = (end - part + k->side - 1) / k->side;
        const float *weights = k->weights + (size_t)(y % k->side * k->side + part) * (WIDTH * WIDTH);
        find_part(weights, cells + (from - first), to - from, found);
        for (int x = from; x < to; x++)
            out[(size_t)x * (size_t)k->side + (size_t)part] = found[x - from];
    }
}

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const struct means *k = user;
    int first = tile->x / k->side, end = (tile->x + tile->width - 1) / k->side + 1;
    float cells[WIDTH][COLUMNS];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        for (int j = 0; j < WIDTH && (y == tile->y || y % k->side == 0); j++)
            oro_terrain_row(&k->terrain, first - REACH, y / k->side + j - REACH, end - first + 2 * REACH,
                            cells[j]);
        find_row(k, tile, y, first, cells[0]);
    }
}

ORO_PROCESSOR(resolution, upsample_means)
{
    struct means k = {.terrain = oro_run_map(run, "terrain"),
                      .weights = oro_run_buffer(run, "weights"),
                      .side = (int)oro_run_number(run, "side"),
                      .width = run->grid.width,
                      .out = oro_run_buffer(run, "terrain_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
