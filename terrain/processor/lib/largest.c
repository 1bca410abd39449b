/* The largest magnitude of every block of 1024 values: gles_shaders/lib/largest.comp. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { BLOCK = 1024, INFINITE = 0x7f800000 };

struct largest {
    const float *values;
    float *largest;
    size_t cells;
    int width; /* blocks in a row */
};

/* Magnitudes are ordered as their bits are. What is no number does not count. */
ORO_INLINE float largest_of(const float *values, size_t count)
{
    int32_t most = 0;
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < count; i++) {
        int32_t bits = oro_bits(values[i]) & INT32_MAX;
        int32_t counted = bits > INFINITE ? 0 : bits;
        most = counted > most ? counted : most;
    }
    return oro_of_bits(most);
}

static ORO_CLONES void find_largest(const void *user, const struct oro_tile *tile)
{
    const struct largest *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t block = (size_t)y * (size_t)k->width + (size_t)x, first = block * BLOCK;
            if (first >= k->cells)
                return;
            size_t left = k->cells - first;
            k->largest[block] = largest_of(k->values + first, left < BLOCK ? left : BLOCK);
        }
}

ORO_PROCESSOR(lib, largest)
{
    struct largest k = {.values = oro_run_buffer(run, "values"),
                        .largest = oro_run_buffer(run, "largest"),
                        .cells = (size_t)run->source.width * (size_t)run->source.height,
                        .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, find_largest, &k);
}
