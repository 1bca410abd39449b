/*
 * Where the coordinates of a GeoJSON file lie. Before its lines are read, positions in another system than
 * the world's become eastings and northings of the world's.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/gdal/gdal.h"
#include "formats/network/geojson_private.h"

/* All positions of a file, in the order in which they stand there. */
struct positions {
    json_t **items; /* arrays of the file */
    size_t count, room;
};

static double coordinate(const struct positions *positions, size_t number, size_t which)
{
    return json_number_value(json_array_get(positions->items[number], which));
}

static bool add_position(struct positions *positions, json_t *position)
{
    void *items = positions->items;
    bool fits = oro_reserve(&items, &positions->room, positions->count + 1, sizeof *positions->items);
    positions->items = items;
    if (fits)
        positions->items[positions->count++] = position;
    return fits;
}

/* Coordinates are positions, or lists of them, of any depth. What is neither is told when it is read. */
static bool add_coordinates(struct positions *positions, json_t *coordinates)
{
    if (json_is_number(json_array_get(coordinates, 0)))
        return !json_is_number(json_array_get(coordinates, 1)) || add_position(positions, coordinates);
    for (size_t i = 0; i < json_array_size(coordinates); i++)
        if (!add_coordinates(positions, json_array_get(coordinates, i)))
            return false;
    return true;
}

/* Positions of a collection, a feature or a geometry. Depth ends with the JSON's own. */
static bool add_all(struct positions *positions, json_t *object)
{
    static const char *const lists[] = {"features", "geometries"};
    if (!add_coordinates(positions, json_object_get(object, "coordinates")))
        return false;
    json_t *geometry = json_object_get(object, "geometry");
    if (geometry && !add_all(positions, geometry))
        return false;
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = 0; i < json_array_size(json_object_get(object, lists[k])); i++)
            if (!add_all(positions, json_array_get(json_object_get(object, lists[k]), i)))
                return false;
    return true;
}

static bool in_degrees(const struct positions *positions)
{
    bool degrees = positions->count > 0;
    for (size_t i = 0; degrees && i < positions->count; i++)
        degrees = fabs(coordinate(positions, i, 0)) <= 180 && fabs(coordinate(positions, i, 1)) <= 90;
    return degrees;
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

static bool transform(const char *path, const char *from, const char *to, struct positions *positions,
                      struct oro_error *err)
{
    size_t count = positions->count;
    double *x = oro_alloc(count ? count : 1, 2 * sizeof *x), *y = x + (x ? count : 0);
    for (size_t i = 0; x && i < count; i++) {
        x[i] = coordinate(positions, i, 0);
        y[i] = coordinate(positions, i, 1);
    }
    bool fits = x != NULL, ok = fits && oro_gdal_transform(path, from, to, count, x, y, err);
    for (size_t i = 0; ok && fits && i < count; i++)
        fits = json_array_set_new(positions->items[i], 0, json_real(x[i])) == 0 &&
               json_array_set_new(positions->items[i], 1, json_real(y[i])) == 0;
    oro_free(x);
    return fits ? ok : oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
}

/* `name`: what the file calls its system; NULL: nothing, or null. */
static bool place(const char *path, json_t *root, const char *name, const struct oro_place *world,
                  bool is_map, struct positions *positions, bool *placed, const struct oro_log *log,
                  struct oro_error *err)
{
    char epsg[ORO_GEOJSON_EPSG_MAX];
    const char *from = name ? system_of(name, epsg) : "EPSG:4326";
    *placed = name && strcmp(from, world->crs) == 0;
    if (*placed)
        return true;
    if (!add_all(positions, root))
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    bool degrees = !name && in_degrees(positions);
    *placed = name || degrees || is_map;
    if (!name && (!degrees || is_map))
        oro_note(log, ORO_NOTICE, "'%s' tells no coordinate system: its coordinates are taken for %s", path,
                 degrees  ? "longitudes and latitudes"
                 : is_map ? "those of the world's system"
                          : "the world's own metres");
    return !(name || degrees) || transform(path, from, world->crs, positions, err);
}

bool oro_geojson_place(const char *path, json_t *root, const struct oro_geojson_text *given,
                       const struct oro_place *world, bool *placed, const struct oro_log *log,
                       struct oro_error *err)
{
    struct positions positions = {0};
    const json_t *crs = json_object_get(root, "crs");
    const char *name = json_string_value(json_object_get(json_object_get(crs, "properties"), "name"));
    char epsg[ORO_GEOJSON_EPSG_MAX];
    *placed = false;
    if (given->told && name) {
        *given->told = oro_copy_text(system_of(name, epsg));
        if (!*given->told)
            return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    }
    if (!world || !world->crs)
        return true;
    if (crs && !json_is_null(crs) && !name)
        return oro_fail(err, ORO_E_FILE, "'%s': \"crs\" does not name a coordinate system", path);
    bool ok = place(path, root, name, world, given->is_map, &positions, placed, log, err);
    oro_free(positions.items);
    return ok;
}
