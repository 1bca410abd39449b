/* The largest magnitude of every block of 32 x 32 cells: gles_shaders/lib/largest.comp. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { SIDE = 32, INFINITE = 0x7f800000 };

struct largest {
    const float *values;
    float *largest;
    int columns, rows; /* of the values */
    int channels;
    int width; /* of the blocks */
};

/* Magnitudes are ordered as their bits are. What is no number does not count. */
ORO_INLINE int32_t largest_of(const float *values, int count, int32_t most)
{
#pragma omp simd reduction(max : most)
    for (int i = 0; i < count; i++) {
        int32_t bits = oro_bits(values[i]) & INT32_MAX;
        int32_t counted = bits > INFINITE ? 0 : bits;
        most = counted > most ? counted : most;
    }
    return most;
}

static ORO_CLONES void find_largest(const void *user, const struct oro_tile *tile)
{
    const struct largest *k = user;
    size_t channels = (size_t)k->channels;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            int count = k->columns - x * SIDE < SIDE ? k->columns - x * SIDE : SIDE;
            int32_t most = 0;
            for (int row = y * SIDE; row < k->rows && row < (y + 1) * SIDE; row++)
                most =
                    largest_of(k->values + channels * ((size_t)row * (size_t)k->columns + (size_t)(x * SIDE)),
                               (int)channels * count, most);
            k->largest[(size_t)y * (size_t)k->width + (size_t)x] = oro_of_bits(most);
        }
}

ORO_PROCESSOR(lib, largest)
{
    struct largest k = {.values = oro_run_buffer(run, "values"),
                        .largest = oro_run_buffer(run, "largest"),
                        .columns = run->source.width,
                        .rows = run->source.height,
                        .channels = oro_run_defined(run, "VECTORS") ? 2 : 1,
                        .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, find_largest, &k);
}
