/*
 * Files of rasters that lie in tiles (graph/type/device.h): each rank writes its own, by windows
 * (formats/writer/writer.h), and none has the whole. The samples are those that oro_heightfield_write gives
 * the whole, and so is the certificate; sidecars and raw files, tiles and chunks have its bytes, too. A
 * GeoTIFF lies in blocks that are not compressed.
 *
 * All functions are collective: every rank of the device calls them, with the same arguments. A failure is
 * that of all, and final (graph/type/ranks.h); nothing of the file is left then.
 */
#ifndef ORO_FORMATS_SPREAD_SPREAD_FILE_H
#define ORO_FORMATS_SPREAD_SPREAD_FILE_H

#include "formats/format.h"
#include "formats/spread/raster.h"

/* Whether the raster can go into such a file by its tiles. `about` tells cell, place and unit; `range` is
 * that of the raster, which files of whole numbers get where the options have none. Where it cannot, or where
 * something is wrong with the options or the place, oro_heightfield_write will do, or say why it fails. */
bool oro_spread_file_fits(const char *path, const struct oro_spread_raster *raster,
                          const struct oro_heightfield *about, const struct oro_height_range *range,
                          const struct oro_write_options *options);

/* Writes the file, where that fits. `options->written` is filled on rank 0 alone. `*seen` is false where some
 * rank does not find the folder that rank 0 writes to, as on machines that share no disk: then nothing was
 * done. Fails as oro_heightfield_write. */
bool oro_spread_file_write(const char *path, const struct oro_spread_raster *raster,
                           const struct oro_heightfield *about, const struct oro_height_range *range,
                           const struct oro_write_options *options, bool *seen, struct oro_error *err);

#endif
