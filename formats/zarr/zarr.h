/*
 * Inside formats/: Zarr, version 2, as GDAL 3.4 and later and xarray read it: a folder with a group of the
 * array `height`, whose chunks are files of their own, and of the coordinates X and Y of the cells' centres
 * where cells have a size. Each chunk is a zlib stream, which every reader of Zarr knows; levels carry their
 * range as `scale_factor` and `add_offset`, and the system lies in `_CRS`, where GDAL puts it.
 */
#ifndef ORO_FORMATS_ZARR_ZARR_H
#define ORO_FORMATS_ZARR_ZARR_H

#include "formats/codec.h"
#include "formats/tiles.h"

enum { ORO_ZARR_CHUNK = 1024 }; /* cells of a chunk, along each side, where nothing else is wanted */

/* What is written. */
struct oro_zarr {
    const char *path;                    /* for messages */
    const struct oro_heightfield *field; /* its size, its place, its unit; not its values */
    double largest;                      /* samples are levels 0..largest; 0: floats */
    struct oro_height_range range;       /* of the levels */
    bool has_nodata;                     /* of float samples alone */
    double nodata;                       /* may be NaN */
    int chunk;                           /* 0: ORO_ZARR_CHUNK */
};

/* The chunks as a tiling without overlap whose last tiles are cut off at the border; both sides at least 1.
 */
int oro_zarr_chunks_across(const struct oro_zarr *zarr);
int oro_zarr_chunks(const struct oro_zarr *zarr);
/* The cells of a chunk: from west to east, then from north to south. */
struct oro_tile_place oro_zarr_chunk_at(const struct oro_zarr *zarr, int number);

/* Fills a folder that is there and empty with everything but the chunks. Fails with ORO_E_WRITE,
 * ORO_E_MEMORY. */
bool oro_zarr_begin(const struct oro_zarr *zarr, const char *folder, struct oro_error *err);
/* Writes a chunk of these samples, whose rows begin `stride` apart. Several threads and processes may do so
 * at once, each its own. */
bool oro_zarr_put(const struct oro_zarr *zarr, const char *folder, int number, const float *samples,
                  size_t stride, struct oro_error *err);
/* Whether that chunk was written. */
bool oro_zarr_has(const char *folder, const struct oro_zarr *zarr, int number);

/* Judges a folder before GDAL reads it: a group of arrays, or an array, of version 2, all of it plain files
 * in it; one array of two sides, each of a size that is read, and chunks that memory is there for. Fails with
 * ORO_E_FILE, ORO_E_MEMORY. */
bool oro_zarr_check(const char *path, struct oro_error *err);

#endif
