/*
 * What terrain/drainage/ needs to drain rasters that a device keeps in tiles (device.h: tiles): how they are
 * cut, and messages between ranks. Nobody has a whole raster. All functions are called by all ranks, in the
 * same order, from the device's thread; they fail on all of them.
 */
#ifndef ORO_GRAPH_TYPE_DRAINAGE_TILES_H
#define ORO_GRAPH_TYPE_DRAINAGE_TILES_H

#include "graph/type/device.h"
#include "terrain/drainage/tiled.h"

/* How a grid is cut, and who has what. It stays where it is while drainage keeps it. */
struct oro_drainage_tiles {
    struct oro_device *device;
    struct oro_ranks *ranks;
    struct oro_grid grid;
    struct oro_tiled_grid cut;
    int count, most; /* of all tiles; of those that any rank has */
    size_t budget;   /* bytes of host memory that this rank takes for any one thing that it keeps */
    struct oro_tiled_ranks among; /* what oro_tiled_ground.ranks wants, where there are several */
};
void oro_drainage_tiles_begin(struct oro_drainage_tiles *tiles, struct oro_device *device,
                              const struct oro_grid *grid, bool walls);
bool oro_drainage_tiles_own(const struct oro_drainage_tiles *tiles, int tile);
/* Whether all is well on every rank; what is wrong with the terrain is said in the same words on all. */
bool oro_drainage_tiles_agree(const struct oro_drainage_tiles *tiles, bool ok, struct oro_error *err);

#endif
