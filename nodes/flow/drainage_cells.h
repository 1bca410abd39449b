/*
 * The tiles of this rank on the host, for terrain/drainage/ to drain rasters that a device keeps in tiles
 * (graph/type/drainage_tiles.h). All functions are called by all ranks, in the same order, from the device's
 * thread; they fail on all of them.
 */
#ifndef ORO_NODES_FLOW_DRAINAGE_CELLS_H
#define ORO_NODES_FLOW_DRAINAGE_CELLS_H

#include "graph/type/drainage_tiles.h"

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
