/*
 * Coordinate systems that worlds and rasters lie in (base/place.h), by name: "EPSG:N" or WKT. The first use
 * of one opens GDAL, which takes a moment.
 */
#ifndef ORO_FORMATS_CRS_H
#define ORO_FORMATS_CRS_H

#include <stdbool.h>

#include "base/error.h"

/* Whether a text names a projected system in metres. Fails with ORO_E_USAGE, or ORO_E_FILE without GDAL. */
bool oro_crs_check(const char *crs, struct oro_error *err);

/* The way from a system to degrees on WGS 84. One thread at a time. */
struct oro_degrees;
/* NULL: there is none (ORO_E_USAGE, ORO_E_FILE, ORO_E_MEMORY). */
struct oro_degrees *oro_degrees_create(const char *crs, struct oro_error *err);
void oro_degrees_destroy(struct oro_degrees *degrees); /* NULL is allowed */
/* False: there is no such place. */
bool oro_degrees_of(struct oro_degrees *degrees, double east, double north, double *longitude,
                    double *latitude);

#endif
