/* All vertices of a level, from those of the level before. */
#include "terrain/processor/lib/diamond_square.h"

struct refine {
    struct oro_squares squares;
    int width;
    float *finer;
};

static ORO_CLONES void refine(const void *user, const struct oro_tile *tile)
{
    const struct refine *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        oro_vertex_row(&k->squares, tile->x, y, tile->width,
                       k->finer + (size_t)y * (size_t)k->width + tile->x);
}

ORO_PROCESSOR(source, diamond_square_refine)
{
    struct refine k = {oro_squares_of(run), run->grid.width, oro_run_buffer(run, "finer")};
    if (oro_run_ready(run))
        oro_run_tiles(run, refine, &k);
}
