#include "nodes/flow/drainage_tiles.h"

#include "base/budget.h"
#include "graph/type/ranks.h"

static int most_of_a_rank(const struct oro_drainage_tiles *tiles)
{
    int most = 0, own = 0, last = -1;
    for (int i = 0; i < tiles->count; i++) {
        int rank = tiles->device->tiles->rank(tiles->device, &tiles->grid, (size_t)i);
        own = rank == last ? own + 1 : 1; /* a rank's tiles follow one another */
        last = rank;
        most = own > most ? own : most;
    }
    return most;
}

void oro_drainage_tiles_begin(struct oro_drainage_tiles *tiles, struct oro_device *device,
                              const struct oro_grid *grid, bool walls)
{
    struct oro_window first = device->tiles->window(device, grid, 0);
    enum { SHARE = 8 }; /* heights, results, what is kept of tiles, and as much for tiles of the device */
    *tiles = (struct oro_drainage_tiles){
        .device = device,
        .ranks = device->tiles->ranks(device),
        .grid = *grid,
        .cut = {grid->width, grid->height, first.width, first.height, walls},
        .count = (int)device->tiles->count(device, grid),
    };
    tiles->most = most_of_a_rank(tiles);
    tiles->budget = oro_budget() / SHARE;
    oro_drainage_tiles_connect(tiles);
}

bool oro_drainage_tiles_own(const struct oro_drainage_tiles *tiles, int tile)
{
    return tiles->device->tiles->rank(tiles->device, &tiles->grid, (size_t)tile) == tiles->ranks->rank;
}

/* What is wrong with the terrain is found by one rank, and no matter of that rank: all say the same. Any
 * other error is named with its rank. */
bool oro_drainage_tiles_agree(const struct oro_drainage_tiles *tiles, bool ok, struct oro_error *err)
{
    struct oro_ranks *ranks = tiles->ranks;
    if (ranks->count == 1)
        return ok;
    uint64_t bad[2] = {!ok && err->code != ORO_E_EVALUATE, ok ? 0 : (uint64_t)(ranks->count - ranks->rank)};
    struct oro_error transport = {0};
    if (!ranks->ops->greatest(ranks, bad, 2, &transport)) {
        *err = transport;
        return false;
    }
    if (bad[0])
        return ranks->ops->agree(ranks, ok, err);
    if (bad[1])
        ranks->ops->broadcast(ranks, ranks->count - (int)bad[1], err, sizeof *err, err);
    return !bad[1];
}
