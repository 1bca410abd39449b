#include "terrain/processor/run.h"

struct crop {
    struct oro_map terrain;
    int east, south;
    struct oro_setter out;
};

static void crop(const void *user, const struct oro_tile *tile)
{
    const struct crop *k = user;
    float scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *row = oro_map_row(&k->terrain, tile->x + k->east, y + k->south, tile->width, scratch);
        oro_set_row(&k->out, tile->x, y, tile->width, row);
    }
}

ORO_PROCESSOR(resolution, crop)
{
    struct crop k = {.terrain = oro_run_map(run, "terrain"),
                     .east = (int)oro_run_number(run, "east"),
                     .south = (int)oro_run_number(run, "south"),
                     .out = oro_run_setter(run, "terrain")};
    if (oro_run_ready(run))
        oro_run_tiles(run, crop, &k);
}
