/* A file of as many cells as the raster, where that is kept in tiles: read window by window. */
#ifndef ORO_NODES_SOURCE_IMPORT_WINDOWS_H
#define ORO_NODES_SOURCE_IMPORT_WINDOWS_H

#include "formats/reader/reader.h"
#include "graph/type/node.h"

/* The largest elevation, up or down, in metres: simulations square and multiply elevations, and far beyond
 * any ground would leave the range of floats. */
#define ORO_IMPORT_HIGHEST 1e9f

/* Opens a file that oro_heightfield_read would read as it is, cell for cell, with these options: one that is
 * not moved to another place. NULL: `why` says what is in the way. */
struct oro_reader *oro_import_open(const char *file, const struct oro_read_options *options,
                                   struct oro_error *why);

/* Reads what `reader` has into tiles, each rank its own, and gives `terrain`, and `sea` and `mask`, which are
 * 0: the bits of the whole. All ranks call this together.
 * `*done` stays false if a cell has no height, which takes the whole; `why` says which. */
bool oro_import_tiles(struct oro_eval *e, const char *file, struct oro_reader *reader, bool *done,
                      struct oro_error *why);

/* The same in one piece, for a raster with more cells a side than oro_heightfield_read takes: it fails if a
 * cell has no height. */
bool oro_import_large(struct oro_eval *e, const char *file, struct oro_reader *reader);

#endif
