/*
 * A raster file that is open: what its header and its sidecar tell, and its heights window by window. All
 * reading goes this way; oro_heightfield_read reads one window of all cells, and fills holes.
 *
 * Any cells at once (ORO_WINDOWS_BLOCKS) give GeoTIFF and mosaics of it, Zarr, raw samples and .pfm, up to
 * ORO_RASTER_SIDE_MAX cells a side; rows in order .png; only the whole all others.
 */
#ifndef ORO_FORMATS_READER_READER_H
#define ORO_FORMATS_READER_READER_H

#include "formats/about.h"
#include "formats/format.h"
#include "formats/window.h"

struct oro_reader;

/* Opens a file that gives at least such windows; NULL options are the defaults. By ORO_WINDOWS_BLOCKS those
 * for which cells would be moved or made are refused (`crs`, `window`, `max_side`, `channel`). Manifests of
 * tiles are not read by windows.
 * Fails with ORO_E_FILE, ORO_E_USAGE, ORO_E_MEMORY; NULL then. */
struct oro_reader *oro_reader_open(const char *path, const struct oro_read_options *options,
                                   enum oro_windows least, struct oro_error *err);
/* Valid until the reader is closed, its place, too. */
const struct oro_reader_about *oro_reader_about(const struct oro_reader *reader);
/* Reads the heights of a window: the bits that oro_heightfield_read gives these cells. Where the file has no
 * height it would interpolate, or continue the ground, which takes the whole; here such cells become NaN with
 * `holes`, and fail without: those of `takes_nodata`, too. Sea stays as high as the file says, as it does
 * there. One thread at a time. Fails with ORO_E_FILE, ORO_E_MEMORY, ORO_E_USAGE (it does not lie in the
 * raster). */
bool oro_reader_window(struct oro_reader *reader, const struct oro_cell_window *window, bool holes,
                       float *heights, struct oro_error *err);
/* Whether a raster that says where it lies is what `crs` and `window` ask for already, cell for cell. */
bool oro_lies_as_asked(const struct oro_heightfield *field, const struct oro_read_options *options);
void oro_reader_close(struct oro_reader *reader); /* NULL is allowed */

#endif
