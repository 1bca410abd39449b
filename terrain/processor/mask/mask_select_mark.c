#include "terrain/processor/run.h"

struct mark {
    const float *from;
    int width, *nearest;
};

static void mark(const void *user, const struct oro_tile *tile)
{
    const struct mark *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t at = (size_t)y * (size_t)k->width + (size_t)x;
            k->nearest[at] = k->from[at] > 0.5F ? y : -1;
        }
}

ORO_PROCESSOR(mask, mask_select_mark)
{
    struct mark k = {oro_run_buffer(run, "from"), run->grid.width, oro_run_buffer(run, "nearest")};
    if (oro_run_ready(run))
        oro_run_tiles(run, mark, &k);
}
