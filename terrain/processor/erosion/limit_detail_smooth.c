#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct smooth {
    struct oro_map ground, smooth_ground;
    float aside; /* the part of detail that goes to each neighbour */
    int width;
    float *out;
};

/* Rows with a ring of one cell: column x of the tile is [x + 1]. */
enum { COLUMNS = ORO_TILE_WIDTH + 2 };

ORO_INLINE void read_row(const struct smooth *k, const struct oro_tile *tile, int y, float *detail)
{
    float scratch[2][COLUMNS];
    const float *ground = oro_map_row(&k->ground, tile->x - 1, y, tile->width + 2, scratch[0]);
    const float *smooth = oro_map_row(&k->smooth_ground, tile->x - 1, y, tile->width + 2, scratch[1]);
#pragma omp simd
    for (int x = 0; x < tile->width + 2; x++)
        detail[x] = ground[x] - smooth[x];
}

static ORO_CLONES void smooth(const void *user, const struct oro_tile *tile)
{
    const struct smooth *k = user;
    float rows[3][COLUMNS], middle = 1 - 2 * k->aside;
    read_row(k, tile, tile->y - 1, rows[0]);
    read_row(k, tile, tile->y, rows[1]);
    for (int y = 0; y < tile->height; y++) {
        float *out = k->out + (size_t)(tile->y + y) * (size_t)k->width + tile->x;
        read_row(k, tile, tile->y + y + 1, rows[(y + 2) % 3]);
        const float *above = rows[y % 3], *here = rows[(y + 1) % 3], *below = rows[(y + 2) % 3];
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float west = k->aside * (above[x] + below[x]) + middle * here[x];
            float straight = k->aside * (above[x + 1] + below[x + 1]) + middle * here[x + 1];
            float east = k->aside * (above[x + 2] + below[x + 2]) + middle * here[x + 2];
            out[x] = k->aside * (west + east) + middle * straight;
        }
    }
}

ORO_PROCESSOR(erosion, limit_detail_smooth)
{
    int width = run->grid.width, height = run->grid.height;
    struct smooth k = {
        .ground = {.values = oro_run_buffer(run, "ground"), .width = width, .height = height},
        .smooth_ground = {.values = oro_run_buffer(run, "smooth_ground"), .width = width, .height = height},
        .aside = 0.25F * oro_run_float(run, "smoothness"),
        .width = width,
        .out = oro_run_buffer(run, "detail")};
    if (oro_run_ready(run))
        oro_run_tiles(run, smooth, &k);
}
