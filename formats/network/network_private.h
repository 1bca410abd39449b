/* Inside formats/network/: what formats of networks share, as the names of vertices' attributes. */
#ifndef ORO_FORMATS_NETWORK_NETWORK_PRIVATE_H
#define ORO_FORMATS_NETWORK_NETWORK_PRIVATE_H

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/log.h"
#include "base/text.h"
#include "formats/gdal/gdal.h"
#include "formats/network/geojson.h"

/* The attributes of a vertex that are numbers, NaN if unknown. */
static const char *const oro_geojson_numbers[] = {"elevation", "drainage", "width", "prominence"};
enum { ORO_GEOJSON_NUMBERS = sizeof oro_geojson_numbers / sizeof oro_geojson_numbers[0] };
static inline float *oro_geojson_number(struct oro_vertex *v, int which)
{
    float *const numbers[ORO_GEOJSON_NUMBERS] = {&v->elevation, &v->drainage, &v->width, &v->prominence};
    return numbers[which];
}

static const char *const oro_geojson_kinds[] = {"plain",    "peak",   "saddle", "source",
                                                "junction", "outlet", NULL};

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

#define ORO_GEOJSON_BYTES_MAX ((size_t)1 << 27)

/* What a file of another format becomes before it is read: a FeatureCollection. */
struct oro_geojson_text {
    struct oro_text text;
    char *crs;     /* the system of its coordinates; oro_alloc; NULL: it tells none */
    bool is_map;   /* coordinates without a system are in the world's, or, without one, y goes north */
    bool on_plane; /* they are the world's metres, wherever it lies */
    char **told;   /* where not NULL: is given the system of the file, if it tells one; oro_alloc */
};
/* As oro_network_file_read. */
struct oro_network *oro_geojson_take(const char *path, const struct oro_geojson_text *given,
                                     const struct oro_place *world, const struct oro_log *log,
                                     struct oro_error *err);

/* A line of the network, and nothing that is known of it. */
struct oro_vector_line oro_geojson_line(const struct oro_network *network, uint32_t number);
/* The properties of its Feature. NULL: memory is out, as oro_json_failures tells, too. */
json_t *oro_geojson_properties(const struct oro_vector_line *line);

/* SVG: lines as a drawing in metres, x east and y south. What is written keeps what is known at vertices in
 * attributes of its own, which programs that draw leave alone. */
/* Wherever the lines lie. Atomic. Fails with ORO_E_WRITE, ORO_E_MEMORY, and as `lines` do. */
bool oro_svg_write(const char *path, const struct oro_vector_lines *lines, struct oro_error *err);
/* Paths, polylines, polygons and lines, with their transforms; curves become short segments, and circles are
 * points. Gives a FeatureCollection of at most `most` bytes. Fails with ORO_E_FILE, ORO_E_LIMIT,
 * ORO_E_MEMORY.
 */
bool oro_svg_read(const char *path, size_t most, struct oro_text *text, struct oro_error *err);

#endif
