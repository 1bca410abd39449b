#include <math.h>
#include <stdint.h>

#include "terrain/processor/run.h"

struct distance {
    struct oro_run_grid grid;
    const int32_t *nearest, *column;
    float *out;
};

static void measure(const void *user, const struct oro_tile *tile)
{
    const struct distance *k = user;
    float width = (float)k->grid.width, height = (float)k->grid.height;
    float none = sqrtf(width * width + height * height);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t row = (size_t)y * (size_t)k->grid.width;
        for (int x = 0; x < k->grid.width; x++) {
            int at = k->column[row + (size_t)x];
            int64_t dx = at - x, dy = k->nearest[row + (size_t)(at < 0 ? 0 : at)] - y;
            float cells = at < 0 ? none : sqrtf((float)(dx * dx + dy * dy));
            k->out[row + (size_t)x] = cells * k->grid.cell;
        }
    }
}

ORO_PROCESSOR(lib, distance)
{
    struct distance k = {run->grid, oro_run_buffer(run, "nearest"), oro_run_buffer(run, "column"),
                         oro_run_buffer(run, "distance_out")};
    if (oro_run_ready(run))
        oro_run_rows(run, measure, &k);
}
