#include <math.h>
#include <string.h>

#include <jansson.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/network/network_private.h"
#include "formats/sidecar/json_memory.h"

enum { COLLECTION_DEPTH_MAX = 8, ORDER_MAX = 1000 };

/* No terrain extends further than this, and floats become imprecise beyond it. */
static const double farthest = 1e9;
static const char too_far[] = "a position is not an array of two or three numbers of metres, within 1e9";
/* Also limits areas: well within the range of a float. */
static const double largest = 1e30;

struct reader {
    const char *path;
    struct oro_error *err;
    size_t feature; /* number of the feature being read, from 1; 0: the geometry is in no feature */
    const json_t *properties;
    struct oro_network_builder builder;
    double *x, *y; /* of its vertices, as the file has them */
    size_t x_capacity, y_capacity;
    uint32_t *line; /* vertices of the line being read */
    size_t line_capacity;
};

static bool fail(const struct reader *r, const char *what)
{
    if (r->feature)
        return oro_fail(r->err, ORO_E_FILE, "'%s': feature %zu: %s", r->path, r->feature, what);
    return oro_fail(r->err, ORO_E_FILE, "'%s': %s", r->path, what);
}

/* ---- Vertices ---- */

/* The place of a vertex in its geometry, to find its values in the properties. */
struct place {
    size_t index, count; /* among the vertices of its line; a point has a count of 0 */
    size_t line;         /* of a MultiLineString */
};

/* Finds the value of a property for a vertex; NULL: there is none. False: an array does not fit. */
static bool find_value(const struct reader *r, const char *name, struct place place, const json_t **value,
                       bool *listed)
{
    const json_t *item = json_object_get(r->properties, name);
    if (json_is_array(json_array_get(item, place.line)))
        item = json_array_get(item, place.line);
    *listed = json_is_array(item);
    *value = *listed ? json_array_get(item, place.index) : item;
    if (!*listed || (place.count > 0 ? json_array_size(item) == place.count : *value != NULL))
        return true;
    char text[128];
    snprintf(text, sizeof text, "'%s' has %zu values for %zu vertices", name, json_array_size(item),
             place.count ? place.count : 1);
    return fail(r, text);
}

static bool take_number(const struct reader *r, const char *name, struct place place, float *value)
{
    const json_t *item;
    bool listed;
    if (!find_value(r, name, place, &item, &listed))
        return false;
    double number = json_number_value(item);
    const char *word = json_string_value(item);
    if (json_is_number(item) && fabs(number) <= largest)
        *value = (float)number;
    else if (word && strcmp(word, oro_geojson_infinite) == 0)
        *value = INFINITY;
    else if (item && !json_is_null(item) && (listed || json_is_number(item))) {
        char text[128];
        snprintf(text, sizeof text, "'%s' of vertex %zu is not a number that makes sense", name,
                 place.index + 1);
        return fail(r, text);
    }
    return true;
}

static bool take_order(const struct reader *r, struct place place, uint32_t *order)
{
    float number = 0;
    if (!take_number(r, "order", place, &number))
        return false;
    if (!(number >= 0 && number <= ORDER_MAX))
        return fail(r, "'order' is not a number from 0 to 1000");
    *order = (uint32_t)number;
    return true;
}

static bool take_kind(const struct reader *r, struct place place, uint32_t *kind)
{
    const json_t *item;
    bool listed;
    if (!find_value(r, "kind", place, &item, &listed))
        return false;
    int found = oro_find_word(json_string_value(item), oro_geojson_kinds);
    *kind = found >= 0 ? (uint32_t)found : *kind;
    return true;
}

static bool take_highest(const struct reader *r, struct place place, float *prominence)
{
    const json_t *item;
    bool listed;
    if (!find_value(r, oro_geojson_highest, place, &item, &listed))
        return false;
    if (json_is_true(item))
        *prominence = INFINITY;
    return true;
}

/* Where vertices lie is known once all are read. */
static bool take_position(struct reader *r, const json_t *position, struct oro_vertex *v)
{
    double x[3] = {0, 0, NAN};
    size_t count = json_array_size(position);
    bool ok = count >= 2;
    for (size_t i = 0; ok && i < 3 && i < count; i++) {
        x[i] = json_number_value(json_array_get(position, i));
        ok = json_is_number(json_array_get(position, i)) && fabs(x[i]) <= farthest;
    }
    if (!ok)
        return fail(r, too_far);
    size_t number = r->builder.vertex_count;
    if (!oro_reserve(&r->x, &r->x_capacity, number + 1, sizeof *r->x) ||
        !oro_reserve(&r->y, &r->y_capacity, number + 1, sizeof *r->y))
        return oro_fail(r->err, ORO_E_MEMORY, "no memory for %zu vertices", number);
    r->x[number] = x[0];
    r->y[number] = x[1];
    *v = oro_vertex_at(0, 0);
    v->elevation = (float)x[2];
    return true;
}

static bool add_vertex(struct reader *r, const json_t *position, struct place place, uint32_t *number)
{
    struct oro_vertex v;
    bool ok =
        take_position(r, position, &v) && take_order(r, place, &v.order) && take_kind(r, place, &v.kind);
    for (int i = 0; ok && i < ORO_GEOJSON_NUMBERS; i++)
        ok = take_number(r, oro_geojson_numbers[i], place, oro_geojson_number(&v, i));
    ok = ok && take_highest(r, place, &v.prominence);
    *number = ok ? oro_network_add_vertex(&r->builder, v) : 0;
    return ok;
}

/* ---- Geometries ---- */

static bool add_point(struct reader *r, const json_t *position, size_t index)
{
    uint32_t number;
    if (!add_vertex(r, position, (struct place){.index = index}, &number))
        return false;
    oro_network_add_line(&r->builder, (uint32_t[]){number, number}, 2);
    return true;
}

static bool add_line(struct reader *r, const json_t *positions, size_t line)
{
    size_t count = json_array_size(positions);
    if (!json_is_array(positions))
        return fail(r, "a line has no array of positions");
    if (!oro_reserve(&r->line, &r->line_capacity, count + 1, sizeof *r->line))
        return oro_fail(r->err, ORO_E_MEMORY, "no memory for a line of %zu vertices", count);
    for (size_t i = 0; i < count; i++)
        if (!add_vertex(r, json_array_get(positions, i), (struct place){i, count, line}, &r->line[i]))
            return false;
    if (count == 1)
        r->line[count++] = r->line[0];
    oro_network_add_line(&r->builder, r->line, count);
    return true;
}

static bool add_many(struct reader *r, const json_t *items,
                     bool add(struct reader *r, const json_t *item, size_t index))
{
    if (!json_is_array(items))
        return fail(r, "a geometry has no array of coordinates");
    for (size_t i = 0; i < json_array_size(items); i++)
        if (!add(r, json_array_get(items, i), i))
            return false;
    return true;
}

static bool add_geometry(struct reader *r, const json_t *geometry, int depth)
{
    const char *type = json_string_value(json_object_get(geometry, "type"));
    const json_t *coordinates = json_object_get(geometry, "coordinates");
    const json_t *parts = json_object_get(geometry, "geometries");
    if (json_is_null(geometry))
        return true; /* a feature without a geometry */
    if (!type)
        return fail(r, "there is no \"type\": this is not GeoJSON");
    if (strcmp(type, "LineString") == 0)
        return add_line(r, coordinates, 0);
    if (strcmp(type, "MultiLineString") == 0)
        return add_many(r, coordinates, add_line);
    if (strcmp(type, "Point") == 0)
        return add_point(r, coordinates, 0);
    if (strcmp(type, "MultiPoint") == 0)
        return add_many(r, coordinates, add_point);
    if (strcmp(type, "GeometryCollection") == 0 && json_is_array(parts) && depth < COLLECTION_DEPTH_MAX) {
        bool ok = true;
        for (size_t i = 0; ok && i < json_array_size(parts); i++)
            ok = add_geometry(r, json_array_get(parts, i), depth + 1);
        return ok;
    }
    char text[240];
    snprintf(text, sizeof text,
             "a %.40s is not read: networks are made of LineString, MultiLineString, Point ('ogr2ogr -nlt "
             "LINESTRING OUT.geojson IN' makes lines of outlines)",
             type);
    return fail(r, text);
}

static bool add_feature(struct reader *r, const json_t *feature, size_t index)
{
    const json_t *geometry = json_object_get(feature, "geometry");
    r->feature = index + 1;
    r->properties = json_object_get(feature, "properties");
    return geometry ? add_geometry(r, geometry, 0) : fail(r, "it has no \"geometry\"");
}

static bool add_root(struct reader *r, const json_t *root)
{
    const char *type = json_string_value(json_object_get(root, "type"));
    if (type && strcmp(type, "FeatureCollection") == 0)
        return json_is_array(json_object_get(root, "features"))
                   ? add_many(r, json_object_get(root, "features"), add_feature)
                   : fail(r, "there is no array of \"features\"");
    if (type && strcmp(type, "Feature") == 0)
        return add_feature(r, root, 0);
    return add_geometry(r, root, 0);
}

/* ---- Where vertices lie ---- */

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

/* Brings the positions to the world's system. `*placed`: they are in it; else they are the world's metres. */
static bool bring(struct reader *r, const json_t *root, const struct oro_geojson_text *given,
                  const struct oro_place *world, bool *placed, const struct oro_log *log)
{
    const json_t *crs = json_object_get(root, "crs");
    const char *name = given->crs
                           ? given->crs
                           : json_string_value(json_object_get(json_object_get(crs, "properties"), "name"));
    char epsg[ORO_GEOJSON_EPSG_MAX];
    const char *from = name ? system_of(name, epsg) : "EPSG:4326";
    size_t count = r->builder.vertex_count;
    if (given->told && name) {
        *given->told = oro_copy_text(from);
        if (!*given->told)
            return oro_fail(r->err, ORO_E_MEMORY, "no memory to read '%s'", r->path);
    }
    if (!world || !world->crs || given->on_plane)
        return true;
    if (crs && !json_is_null(crs) && !name)
        return oro_fail(r->err, ORO_E_FILE, "'%s': \"crs\" does not name a coordinate system", r->path);
    bool degrees = !name && in_degrees(count, r->x, r->y);
    *placed = name || degrees || given->is_map;
    if (!name && (!degrees || given->is_map))
        oro_note(log, ORO_NOTICE, "'%s' tells no coordinate system: its coordinates are taken for %s",
                 r->path,
                 degrees         ? "longitudes and latitudes"
                 : given->is_map ? "those of the world's system"
                                 : "the world's own metres");
    return !(name || degrees) || (name && strcmp(from, world->crs) == 0) ||
           oro_gdal_transform(r->path, from, world->crs, count, r->x, r->y, r->err);
}

/* To metres from the world's corner. */
static bool place(struct reader *r, const json_t *root, const struct oro_geojson_text *given,
                  const struct oro_place *world, const struct oro_log *log)
{
    bool placed = false;
    if (!bring(r, root, given, world, &placed, log))
        return false;
    r->feature = 0;
    for (size_t i = 0; i < r->builder.vertex_count; i++) {
        struct oro_vertex *v = &r->builder.vertices[i];
        if (!(fabs(r->x[i]) <= farthest && fabs(r->y[i]) <= farthest))
            return fail(r, too_far);
        v->x = (float)(placed ? r->x[i] - world->west : r->x[i]);
        v->y = (float)(placed ? world->north - r->y[i] : given->is_map ? -r->y[i] : r->y[i]);
    }
    return true;
}

/* ---- The file ---- */

static json_t *parse(const char *path, const char *text, size_t size, struct oro_error *err)
{
    static const char mark[] = "\xef\xbb\xbf"; /* the byte order mark, with which some programs begin files */
    size_t skip = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    json_error_t problem;
    bool fits;
    json_t *root = oro_json_parse(text + skip, size - skip, 0, &problem, &fits);
    if (!fits)
        oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    else if (!root)
        oro_fail(err, ORO_E_FILE, "'%s' is not JSON: line %d: %s", path, problem.line, problem.text);
    else if (!json_is_object(root)) {
        oro_fail(err, ORO_E_FILE, "'%s' is not GeoJSON: it begins with no object", path);
        json_decref(root);
        return NULL;
    }
    return root;
}

struct oro_network *oro_geojson_take(const char *path, const struct oro_geojson_text *given,
                                     const struct oro_place *world, const struct oro_log *log,
                                     struct oro_error *err)
{
    const struct oro_text *text = &given->text;
    struct reader reader = {.path = path, .err = err};
    json_t *root = oro_json_fits(path, text->data, text->length, err)
                       ? parse(path, text->data, text->length, err)
                       : NULL;
    bool ok = root && add_root(&reader, root) && place(&reader, root, given, world, log);
    json_decref(root);
    oro_free(reader.line);
    oro_free(reader.x);
    oro_free(reader.y);
    if (ok)
        oro_network_join(&reader.builder);
    struct oro_network *network = oro_network_finish(&reader.builder, ok ? err : NULL);
    if (ok)
        return network;
    oro_free(network);
    return NULL;
}
