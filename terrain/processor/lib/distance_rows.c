#include <stdint.h>

#include "terrain/processor/run.h"

struct rows {
    struct oro_run_grid grid;
    int stride;
    const int32_t *nearest;
    int32_t *column;
};

static int32_t best_of(const int32_t *nearest, int x, int y, int first, int last)
{
    int32_t best = -1;
    int64_t least = INT64_MAX; /* squares take 35 bits in the largest grids */
    for (int at = first; at <= last; at++) {
        int64_t dx = at - x, dy = nearest[at] - y, squared = dx * dx + dy * dy;
        bool nearer = nearest[at] >= 0 && squared < least;
        least = nearer ? squared : least;
        best = nearer ? at : best;
    }
    return best;
}

static void search(const void *user, const struct oro_tile *tile)
{
    const struct rows *k = user;
    int stride = k->stride, width = k->grid.width;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const int32_t *nearest = k->nearest + (size_t)y * (size_t)width;
        int32_t *column = k->column + (size_t)y * (size_t)width;
        for (int x = stride - 1; x < width; x += 2 * stride) {
            int west = x - stride, east = x + stride;
            int first = west < 0 || column[west] < 0 ? 0 : column[west];
            int last = east < width ? column[east] : width - 1;
            column[x] = best_of(nearest, x, y, first, last);
        }
    }
}

ORO_PROCESSOR(lib, distance_rows)
{
    struct rows k = {run->grid, (int)oro_run_number(run, "stride"), oro_run_buffer(run, "nearest"),
                     oro_run_buffer(run, "column")};
    if (oro_run_ready(run))
        oro_run_rows(run, search, &k);
}
