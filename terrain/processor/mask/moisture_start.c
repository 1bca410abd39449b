#include "terrain/processor/run.h"

struct start {
    struct oro_map terrain, water;
    bool has_water;
    float sea_level, *wet;
    int width, *nearest;
};

/* Comparisons with NaN are false. */
static void mark(const void *user, const struct oro_tile *tile)
{
    const struct start *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t at = (size_t)y * (size_t)k->width + (size_t)x;
            bool is_water = k->has_water ? oro_map_at(&k->water, x, y) > 0.5F
                                         : oro_map_at(&k->terrain, x, y) <= k->sea_level;
            k->wet[at] = is_water ? 1 : 0;
            k->nearest[at] = is_water ? y : -1;
        }
}

ORO_PROCESSOR(mask, moisture_start)
{
    struct start k = {.terrain = oro_run_map(run, "terrain"),
                      .water = oro_run_map(run, "water"),
                      .has_water = oro_run_linked(run, "water"),
                      .sea_level = oro_run_float(run, "sea_level"),
                      .wet = oro_run_buffer(run, "wet"),
                      .width = run->grid.width,
                      .nearest = oro_run_buffer(run, "nearest")};
    if (oro_run_ready(run))
        oro_run_tiles(run, mark, &k);
}
