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

/* A raster that is read window by window. One thread at a time. */
struct oro_gdal_windows;
struct oro_windows_about {
    struct oro_heightfield field; /* without values; its place is the reader's */
    bool has_range;               /* integer samples, whose range is known */
    struct oro_height_range range;
    int block_width, block_height; /* cells that are stored, and read, together */
    bool holes;                    /* the file can say where it has no heights */
};
/* Takes GeoTIFF, mosaics and Zarr whose cells need no warping; the options are those of a whole. Fails with
 * ORO_E_FILE, ORO_E_USAGE or ORO_E_MEMORY; NULL then. `about` is filled, but for `field.place.crs` stays
 * valid until the raster is closed. */
struct oro_gdal_windows *oro_gdal_windows_open(const char *path, const struct oro_read_options *options,
                                               struct oro_windows_about *about, struct oro_error *err);
/* Reads cells, NaN where there is no height. The window lies in the raster. */
bool oro_gdal_windows_read(struct oro_gdal_windows *windows, const struct oro_tile_place *window,
                           float *values, struct oro_error *err);
void oro_gdal_windows_close(struct oro_gdal_windows *windows); /* NULL is allowed */

/* Makes a BigTIFF of uncompressed blocks of `block` x `block` cells, whose samples are all zero and lie one
 * block behind the other, from west to east and north to south, up to the end of the file. `output` is as
 * for a codec. */
bool oro_gdal_make_blocks(const struct oro_named_output *output, const struct oro_raster_shape *shape,
                          int block, const double *nodata, struct oro_error *err);

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
