#include <stdint.h>
#include <string.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct columns {
    struct oro_run_grid grid;
    int stride;
    const int32_t *nearest;
    int32_t *out;
};

ORO_INLINE int32_t far_from(int32_t row, int32_t y)
{
    return row < y ? y - row : row - y;
}

ORO_INLINE void take_row(const int32_t *other, int32_t y, int width, int32_t *best)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        int takes = (other[x] >= 0) & ((best[x] < 0) | (far_from(other[x], y) < far_from(best[x], y)));
        best[x] = takes ? other[x] : best[x];
    }
}

static ORO_CLONES void flood(const void *user, const struct oro_tile *tile)
{
    const struct columns *k = user;
    size_t width = (size_t)k->grid.width;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t row = (size_t)y * width;
        memcpy(k->out + row, k->nearest + row, width * sizeof *k->out);
        if (y >= k->stride)
            take_row(k->nearest + row - (size_t)k->stride * width, y, k->grid.width, k->out + row);
        if (y + k->stride < k->grid.height)
            take_row(k->nearest + row + (size_t)k->stride * width, y, k->grid.width, k->out + row);
    }
}

ORO_PROCESSOR(lib, distance_columns)
{
    struct columns k = {run->grid, (int)oro_run_number(run, "stride"), oro_run_buffer(run, "nearest"),
                        oro_run_buffer(run, "nearest_out")};
    if (oro_run_ready(run))
        oro_run_rows(run, flood, &k);
}
