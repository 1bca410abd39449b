/* Where the coordinates of a network's file lie. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/network/geojson_private.h"

static bool in_degrees(size_t count, const double *x, const double *y)
{
    size_t i = 0;
    while (i < count && fabs(x[i]) <= 180 && fabs(y[i]) <= 90)
        i++;
    return count > 0 && i == count;
}

/* "EPSG:N" of what GeoJSON calls systems: "urn:ogc:def:crs:EPSG::N", with a version between the last colons,
 * "EPSG:N", and OGC's names for longitude and latitude; anything else stays, which may be WKT. */
static const char *system_of(const char *name, char epsg[ORO_GEOJSON_EPSG_MAX])
{
    static const char urn[] = "urn:ogc:def:crs:";
    const char *last = strrchr(name, ':');
    bool has_urn = strncmp(name, urn, sizeof urn - 1) == 0;
    const char *authority = has_urn ? name + sizeof urn - 1 : name;
    if (last && has_urn && strncmp(authority, "OGC:", 4) == 0 && strcmp(last, ":CRS84") == 0)
        return "EPSG:4326";
    if (!last || !has_urn || strncmp(authority, "EPSG:", 5) != 0)
        return name;
    snprintf(epsg, ORO_GEOJSON_EPSG_MAX, "EPSG:%.32s", last + 1);
    return epsg;
}

bool oro_geojson_place(const char *path, const json_t *root, const struct oro_geojson_text *given,
                       const struct oro_place *world, size_t count, double *x, double *y, bool *placed,
                       const struct oro_log *log, struct oro_error *err)
{
    const json_t *crs = json_object_get(root, "crs");
    const char *name = given->crs
                           ? given->crs
                           : json_string_value(json_object_get(json_object_get(crs, "properties"), "name"));
    char epsg[ORO_GEOJSON_EPSG_MAX];
    const char *from = name ? system_of(name, epsg) : "EPSG:4326";
    *placed = false;
    if (given->told && name) {
        *given->told = oro_copy_text(from);
        if (!*given->told)
            return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    }
    if (!world || !world->crs)
        return true;
    if (crs && !json_is_null(crs) && !name)
        return oro_fail(err, ORO_E_FILE, "'%s': \"crs\" does not name a coordinate system", path);
    bool degrees = !name && in_degrees(count, x, y);
    *placed = name || degrees || given->is_map;
    if (!name && (!degrees || given->is_map))
        oro_note(log, ORO_NOTICE, "'%s' tells no coordinate system: its coordinates are taken for %s", path,
                 degrees         ? "longitudes and latitudes"
                 : given->is_map ? "those of the world's system"
                                 : "the world's own metres");
    return !(name || degrees) || (name && strcmp(from, world->crs) == 0) ||
           oro_gdal_transform(path, from, world->crs, count, x, y, err);
}
