#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct water {
    const float *height;
    float *depth, *drained;
    float sea_level, area; /* area: of a reference cell */
    int width;
};

static void wet(const void *user, const struct oro_tile *tile)
{
    const struct water *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        const float *height = k->height + at;
        float *depth = k->depth + at, *drained = k->drained + at;
        for (int x = 0; x < tile->width; x++) {
            depth[x] = oro_max(k->sea_level - height[x], 0);
            drained[x] *= k->area;
        }
    }
}

ORO_PROCESSOR(erosion, constraint_erosion_water)
{
    float side = oro_run_float(run, "reference_cell");
    struct water k = {.height = oro_run_buffer(run, "height"),
                      .depth = oro_run_buffer(run, "depth"),
                      .drained = oro_run_buffer(run, "drained"),
                      .sea_level = oro_run_float(run, "sea_level"),
                      .area = side * side,
                      .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, wet, &k);
}
