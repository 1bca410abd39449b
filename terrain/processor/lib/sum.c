/* Sums of blocks of 32 x 32 cells: gles_shaders/lib/sum.comp. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { SIDE = 32, RUNS = 8 };

struct sums {
    const float *values;
    float *sums;
    int columns, rows; /* of the values */
    int width;         /* of the sums */
};

/* The runs of a row side by side. */
ORO_INLINE void add_row(const float *values, int count, float runs[RUNS])
{
    float row[RUNS] = {0};
    for (int first = 0; first < count; first += RUNS)
        if (count - first >= RUNS) {
#pragma omp simd
            for (int i = 0; i < RUNS; i++)
                row[i] += values[first + i];
        } else {
            for (int i = 0; i < count - first; i++)
                row[i] += values[first + i];
        }
#pragma omp simd
    for (int i = 0; i < RUNS; i++)
        runs[i] += row[i];
}

static ORO_CLONES void sum_blocks(const void *user, const struct oro_tile *tile)
{
    const struct sums *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            float runs[RUNS] = {0};
            int count = k->columns - x * SIDE < SIDE ? k->columns - x * SIDE : SIDE;
            for (int row = y * SIDE; row < k->rows && row < (y + 1) * SIDE; row++)
                add_row(k->values + (size_t)row * (size_t)k->columns + (size_t)(x * SIDE), count, runs);
            for (int i = 0; i < RUNS / 2; i++)
                runs[i] += runs[i + RUNS / 2];
            k->sums[(size_t)y * (size_t)k->width + (size_t)x] = (runs[0] + runs[1]) + (runs[2] + runs[3]);
        }
}

ORO_PROCESSOR(lib, sum)
{
    struct sums k = {.values = oro_run_buffer(run, "values"),
                     .sums = oro_run_buffer(run, "sums"),
                     .columns = run->source.width,
                     .rows = run->source.height,
                     .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, sum_blocks, &k);
}
