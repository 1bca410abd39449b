#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { REACH = 4, WIDTH = 2 * REACH + 1, COLUMNS = ORO_TILE_WIDTH + 2 * REACH };

struct factor {
    struct oro_map amplitude;
    int width, height, side;
    const float *energy;
    float least, most, window[WIDTH]; /* a Gaussian, along one axis */
    float *out;
};

/* Adds the blocks of row y, each with those beside it. There is nothing beyond the edges. */
ORO_INLINE void add_row(const struct factor *k, const struct oro_tile *tile, int y, float weight, float *sums)
{
    float row[COLUMNS];
    for (int i = 0; i < tile->width + 2 * REACH; i++) {
        int x = tile->x + i - REACH;
        row[i] = x >= 0 && x < k->width ? k->energy[(size_t)y * (size_t)k->width + (size_t)x] : 0;
    }
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float sum = 0;
        for (int i = 0; i < WIDTH; i++)
            sum += k->window[i] * row[x + i];
        sums[x] += weight * sum;
    }
}

/* Of the window around place `at` of `count`, what lies inside. */
static float total_of(const struct factor *k, int at, int count)
{
    float total = 0;
    for (int i = -REACH; i <= REACH; i++)
        total += at + i >= 0 && at + i < count ? k->window[i + REACH] : 0;
    return total;
}

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const struct factor *k = user;
    float totals[ORO_TILE_WIDTH], wanted[ORO_TILE_WIDTH];
    for (int x = 0; x < tile->width; x++)
        totals[x] = total_of(k, tile->x + x, k->width);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float sums[ORO_TILE_WIDTH] = {0}, total = total_of(k, y, k->height);
        float *out = k->out + (size_t)y * (size_t)k->width + tile->x;
        for (int j = -REACH; j <= REACH; j++)
            if (y + j >= 0 && y + j < k->height)
                add_row(k, tile, y + j, k->window[j + REACH], sums);
        for (int x = 0; x < tile->width; x++)
            wanted[x] =
                oro_map_at(&k->amplitude, (tile->x + x) * k->side + k->side / 2, y * k->side + k->side / 2);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float found = sqrtf(sums[x] / (totals[x] * total));
            out[x] = oro_clamp(wanted[x] / oro_max(found, 1e-6F), k->least, k->most);
        }
    }
}

ORO_PROCESSOR(erosion, limit_detail_factor)
{
    const float deviation = 1.5F;
    struct factor k = {.amplitude = oro_run_map(run, "amplitude"),
                       .width = run->grid.width,
                       .height = run->grid.height,
                       .side = (int)oro_run_number(run, "side"),
                       .energy = oro_run_buffer(run, "energy"),
                       .least = oro_run_float(run, "least"),
                       .most = oro_run_float(run, "most"),
                       .out = oro_run_buffer(run, "factors")};
    for (int i = -REACH; i <= REACH; i++)
        k.window[i + REACH] = oro_exp((float)(i * i) / (-2 * deviation * deviation));
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
