/* One number everywhere. */
#include "terrain/processor/run.h"

struct constant {
    float value;
    struct oro_setter field;
};

static void fill(const void *user, const struct oro_tile *tile)
{
    const struct constant *k = user;
    float row[ORO_TILE_WIDTH];
    for (int x = 0; x < tile->width; x++)
        row[x] = k->value;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        oro_set_row(&k->field, tile->x, y, tile->width, row);
}

ORO_PROCESSOR(source, constant)
{
    struct constant k = {oro_run_float(run, "value"), oro_run_setter(run, "field")};
    if (oro_run_ready(run))
        oro_run_tiles(run, fill, &k);
}
