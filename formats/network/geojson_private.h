/* What reading and writing GeoJSON share: the names of vertices' attributes. */
#ifndef ORO_FORMATS_NETWORK_GEOJSON_PRIVATE_H
#define ORO_FORMATS_NETWORK_GEOJSON_PRIVATE_H

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "formats/network/geojson.h"

/* The attributes of a vertex that are numbers, NaN if unknown. */
static const char *const oro_geojson_numbers[] = {"elevation", "drainage", "width", "prominence"};
enum { ORO_GEOJSON_NUMBERS = sizeof oro_geojson_numbers / sizeof oro_geojson_numbers[0] };
static inline float *oro_geojson_number(struct oro_vertex *v, int which)
{
    float *const numbers[ORO_GEOJSON_NUMBERS] = {&v->elevation, &v->drainage, &v->width, &v->prominence};
    return numbers[which];
}

static const char *const oro_geojson_kinds[] = {"plain", "peak", "saddle", "source", "junction", "outlet"};
enum { ORO_GEOJSON_KINDS = sizeof oro_geojson_kinds / sizeof oro_geojson_kinds[0] };

/* True where the prominence is infinite, which JSON has no number for. Files of version 0.1 have this word
 * instead of a number. */
static const char oro_geojson_highest[] = "highest";
static const char oro_geojson_infinite[] = "infinite";

/* What GeoJSON calls a coordinate system: "EPSG:32632" is "urn:ogc:def:crs:EPSG::32632"; anything else is as
 * it is. Returns `out`. */
enum { ORO_GEOJSON_EPSG_MAX = 64 };
static inline const char *oro_geojson_crs(const char *crs, char out[ORO_GEOJSON_EPSG_MAX])
{
    if (strncmp(crs, "EPSG:", 5) != 0 || strlen(crs) > 16)
        return crs;
    snprintf(out, ORO_GEOJSON_EPSG_MAX, "urn:ogc:def:crs:EPSG::%s", crs + 5);
    return out;
}

/* Changes the positions of a file so that they are in the world's system. `placed`: whether they are; where
 * the world has no place, and where a file tells no system and is not in degrees, they are the world's
 * metres. Fails as oro_geojson_read does. */
bool oro_geojson_place(const char *path, json_t *root, const struct oro_place *world, bool *placed,
                       struct oro_error *err);

#endif
