/*
 * Inside formats/: Zarr, version 2, as GDAL 3.4 and later and xarray read it: a folder with a group of the
 * array `height`, whose chunks are files of their own, and of the coordinates X and Y of the cells' centres
 * where cells have a size. Each chunk is a zlib stream, which every reader of Zarr knows; levels carry their
 * range as `scale_factor` and `add_offset`, and the system lies in `_CRS`, where GDAL puts it.
 */
#ifndef ORO_FORMATS_ZARR_ZARR_H
#define ORO_FORMATS_ZARR_ZARR_H

#include <stdbool.h>

#include "base/error.h"

/* Judges a folder before GDAL reads it: a group of arrays, or an array, of version 2, all of it plain files
 * in it; one array of two sides, each of a size that is read, and chunks that memory is there for. Fails with
 * ORO_E_FILE, ORO_E_MEMORY. */
bool oro_zarr_check(const char *path, struct oro_error *err);

#endif
