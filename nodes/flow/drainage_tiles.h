/*
 * What terrain/drainage/ needs to drain rasters that a device keeps in tiles (graph/type/device.h: tiles):
 * the tiles of this rank on the host, and messages between ranks. Nobody has a whole raster. All functions
 * are called by all ranks, in the same order, from the device's thread; they fail on all of them.
 */
#ifndef ORO_NODES_FLOW_DRAINAGE_TILES_H
#define ORO_NODES_FLOW_DRAINAGE_TILES_H

#include "graph/type/node.h"
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
/* Fills in `among`. */
void oro_drainage_tiles_connect(struct oro_drainage_tiles *tiles);
bool oro_drainage_tiles_own(const struct oro_drainage_tiles *tiles, int tile);
/* Whether all is well on every rank; what is wrong with the terrain is said in the same words on all. */
bool oro_drainage_tiles_agree(const struct oro_drainage_tiles *tiles, bool ok, struct oro_error *err);

/* This rank's tiles of a raster, on the host: in memory, or where they are too large for that in a file that
 * has no name. Start with {0}. */
struct oro_drainage_cells {
    const struct oro_drainage_tiles *tiles;
    bool ringed;   /* with the neighbours of their cells */
    size_t *first; /* of each tile, in `values` */
    size_t count;
    float *values;
    bool in_file;
};
/* Makes room for results; or reads a raster, with the neighbours of the tiles. */
bool oro_drainage_cells_begin(struct oro_drainage_cells *cells, const struct oro_drainage_tiles *tiles,
                              struct oro_error *err);
bool oro_drainage_cells_fetch(struct oro_drainage_cells *cells, const struct oro_drainage_tiles *tiles,
                              struct oro_buffer *raster, struct oro_error *err);
/* Writes results to a raster. */
bool oro_drainage_cells_write(const struct oro_drainage_cells *cells, struct oro_buffer *raster,
                              struct oro_error *err);
void oro_drainage_cells_free(struct oro_drainage_cells *cells);

struct oro_tiled_source oro_drainage_cells_source(struct oro_drainage_cells *cells);
struct oro_tiled_sink oro_drainage_cells_sink(struct oro_drainage_cells *cells);

#endif
