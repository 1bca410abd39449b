/* Sums of blocks of 256 values, in sixteen runs of sixteen: gles_shaders/lib/sum.comp. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { RUN = 16, BLOCK = RUN * RUN };

struct sums {
    const float *values;
    float *sums;
    size_t cells;
    int width; /* blocks in a row */
};

/* The runs side by side: each is summed in its own order. */
ORO_INLINE float whole_block(const float *values)
{
    float parts[RUN] = {0}, sum = 0;
    for (int i = 0; i < RUN; i++) {
#pragma omp simd
        for (int run = 0; run < RUN; run++)
            parts[run] += values[run * RUN + i];
    }
    for (int run = 0; run < RUN; run++)
        sum += parts[run];
    return sum;
}

/* The last block; runs without values add nothing. */
ORO_INLINE float short_block(const float *values, size_t count)
{
    float sum = 0;
    for (size_t run = 0; run < count; run += RUN) {
        float part = 0;
        for (size_t i = run; i < count && i < run + RUN; i++)
            part += values[i];
        sum += part;
    }
    return sum;
}

static ORO_CLONES void sum_blocks(const void *user, const struct oro_tile *tile)
{
    const struct sums *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t block = (size_t)y * (size_t)k->width + (size_t)x, first = block * BLOCK;
            if (first >= k->cells)
                return;
            size_t left = k->cells - first;
            k->sums[block] =
                left < BLOCK ? short_block(k->values + first, left) : whole_block(k->values + first);
        }
}

ORO_PROCESSOR(lib, sum)
{
    struct sums k = {.values = oro_run_buffer(run, "values"),
                     .sums = oro_run_buffer(run, "sums"),
                     .cells = (size_t)oro_run_number(run, "cells_high") * 65536 +
                              (size_t)oro_run_number(run, "cells_low"),
                     .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, sum_blocks, &k);
}
