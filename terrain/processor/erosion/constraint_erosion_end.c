#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct end {
    const float *terrain, *connected, *height, *gorge;
    struct oro_map mask;
    float *result, *weights;
    int width;
};

static void finish(const void *user, const struct oro_tile *tile)
{
    const struct end *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t i = (size_t)y * (size_t)k->width + (size_t)x;
            float h = k->connected[i], strength = oro_map_at(&k->mask, x, y);
            float weight = h < k->height[i] ? 1 : k->gorge[i];
            k->result[i] = strength < 1 ? oro_mix(k->terrain[i], h, strength) : h;
            k->weights[i] = weight * strength;
        }
}

ORO_PROCESSOR(erosion, constraint_erosion_end)
{
    /* The kernel reads gorges as the bits of floats, which they are. */
    struct end k = {.terrain = oro_run_buffer(run, "terrain"),
                    .connected = oro_run_buffer(run, "connected"),
                    .height = oro_run_buffer(run, "height"),
                    .gorge = oro_run_buffer(run, "gorge"),
                    .mask = oro_run_map(run, "mask"),
                    .result = oro_run_buffer(run, "result"),
                    .weights = oro_run_buffer(run, "weights"),
                    .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, finish, &k);
}
