#include "terrain/processor/lib/edges.h"
#include "terrain/processor/run.h"

struct soften {
    const float *ground;
    enum oro_edge edge;
    int width, height, reach, east, south;
    float *softened;
};

/* Relative to the middle: large numbers do not cost the small ones. */
static void soften(const void *user, const struct oro_tile *tile)
{
    const struct soften *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t at = (size_t)y * (size_t)k->width + (size_t)x;
            float change = 0;
            for (int i = -k->reach; i <= k->reach; i++) {
                size_t column = (size_t)oro_within_edges(k->edge, x + i * k->east, k->width);
                size_t row = (size_t)oro_within_edges(k->edge, y + i * k->south, k->height);
                change += k->ground[row * (size_t)k->width + column] - k->ground[at];
            }
            k->softened[at] = k->ground[at] + change / (float)(2 * k->reach + 1);
        }
}

ORO_PROCESSOR(filter, transform_soften)
{
    struct soften k = {.ground = oro_run_buffer(run, "ground"),
                       .edge = (enum oro_edge)oro_run_int(run, "edge"),
                       .width = run->grid.width,
                       .height = run->grid.height,
                       .reach = (int)oro_run_number(run, "reach"),
                       .east = (int)oro_run_number(run, "east"),
                       .south = (int)oro_run_number(run, "south"),
                       .softened = oro_run_buffer(run, "softened")};
    if (oro_run_ready(run))
        oro_run_tiles(run, soften, &k);
}
