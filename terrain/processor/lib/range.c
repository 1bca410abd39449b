/* The lowest and the highest value of every block of 32 x 32 cells: gles_shaders/lib/range.comp. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { SIDE = 32, INFINITE = 0x7f800000 };

struct ranges {
    const float *values;
    float *range;      /* pairs */
    int columns, rows; /* of the values */
    int width;         /* of the blocks */
};

struct range {
    float low, high;
    int32_t largest; /* magnitude, as bits */
};

ORO_INLINE struct range range_of(const float *values, int count, struct range range)
{
    float low = range.low, high = range.high;
    int32_t largest = range.largest;
#pragma omp simd reduction(min : low) reduction(max : high, largest)
    for (int i = 0; i < count; i++) {
        int32_t bits = oro_bits(values[i]) & INT32_MAX;
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
        largest = bits > largest ? bits : largest;
    }
    return (struct range){low, high, largest};
}

static ORO_CLONES void find_ranges(const void *user, const struct oro_tile *tile)
{
    const struct ranges *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            int count = k->columns - x * SIDE < SIDE ? k->columns - x * SIDE : SIDE;
            const float *first = k->values + (size_t)(y * SIDE) * (size_t)k->columns + (size_t)(x * SIDE);
            struct range range = {*first, *first, 0};
            for (int row = 0; row < SIDE && y * SIDE + row < k->rows; row++)
                range = range_of(first + (size_t)row * (size_t)k->columns, count, range);
            float *out = k->range + 2 * ((size_t)y * (size_t)k->width + (size_t)x);
            bool is_finite = range.largest < INFINITE;
            out[0] = is_finite ? range.low : 1;
            out[1] = is_finite ? range.high : -1;
        }
}

ORO_PROCESSOR(lib, range)
{
    struct ranges k = {.values = oro_run_buffer(run, "values"),
                       .range = oro_run_buffer(run, "range"),
                       .columns = run->source.width,
                       .rows = run->source.height,
                       .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, find_ranges, &k);
}
