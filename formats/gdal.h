/*
 * Inside formats/: rasters that GDAL reads and writes. Reading goes by what the file holds, not by its name,
 * through those drivers of GDAL that read elevation from files (gdal_open.c lists them): no network, no
 * databases, no files outside the folder of the one that is read.
 *
 * A program built without GDAL (OROGRAPH_GDAL=OFF) has the same functions, which fail and say so.
 */
#ifndef ORO_FORMATS_GDAL_H
#define ORO_FORMATS_GDAL_H

#include "formats/codec.h"
#include "formats/format.h"

/* Reads a heightfield, as oro_heightfield_read does and with its errors. What only the sidecar knows comes
 * from there. */
bool oro_gdal_read(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                   struct oro_error *err);

/* Puts a raster that was read, and says where it lies, to the system and the window of the options. Of one
 * without `data` it finds the size. */
bool oro_gdal_put(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                  struct oro_error *err);

/* As oro_heightfield_companions. */
bool oro_gdal_companions(const char *path, bool (*visit)(void *user, const char *path), void *user);

/* Brings points from one system to another: "EPSG:N" or WKT, x east, degrees or metres. `path` is for
 * messages. Fails with ORO_E_FILE where there is no such system, or no such place in the second. */
bool oro_gdal_transform(const char *path, const char *from, const char *to, size_t count, double *x,
                        double *y, struct oro_error *err);

/* For writing alone. */
extern const struct oro_codec oro_codec_geotiff, oro_codec_ascii_grid, oro_codec_terragen;

#endif
