#include <math.h>

#include <jansson.h>

#include "base/file.h"
#include "formats/network/geojson_private.h"
#include "formats/sidecar/json_memory.h"

struct oro_geojson_line oro_geojson_line(const struct oro_network *network, uint32_t number)
{
    const uint32_t *starts = oro_network_starts(network);
    struct oro_geojson_line line = {.vertices = oro_network_vertices(network),
                                    .indices = oro_network_indices(network) + starts[number],
                                    .count = starts[number + 1] - starts[number]};
    line.point = line.count == 2 && line.indices[0] == line.indices[1];
    return line;
}

static json_t *number_node(float value)
{
    return isfinite(value) ? json_real((double)value) : json_null();
}

static json_t *position_node(const struct oro_vertex *v, const struct oro_place *world)
{
    json_t *node = json_array();
    double x = (double)v->x, y = (double)v->y;
    json_array_append_new(node, json_real(world->crs ? world->west + x : x));
    json_array_append_new(node, json_real(world->crs ? world->north - y : y));
    if (!isnan(v->elevation))
        json_array_append_new(node, json_real((double)v->elevation));
    return node;
}

static json_t *geometry_node(const struct oro_geojson_line *line, const struct oro_place *world)
{
    json_t *node = json_object(), *positions = json_array();
    for (size_t i = 0; !line->point && i < line->count; i++)
        json_array_append_new(positions, position_node(oro_geojson_vertex(line, i), world));
    json_object_set_new(node, "type", json_string(line->point ? "Point" : "LineString"));
    json_object_set_new(node, "coordinates",
                        line->point ? position_node(oro_geojson_vertex(line, 0), world) : positions);
    if (line->point)
        json_decref(positions);
    return node;
}

/* ---- Properties ---- */

/* `which`: the index of a number in oro_geojson_numbers. */
typedef json_t *node_of(const struct oro_vertex *v, int which);

static json_t *known_number(const struct oro_vertex *v, int which)
{
    struct oro_vertex copy = *v;
    return number_node(*oro_geojson_number(&copy, which));
}

static json_t *known_order(const struct oro_vertex *v, int which)
{
    (void)which;
    return v->order ? json_integer(v->order) : json_null();
}

static json_t *known_kind(const struct oro_vertex *v, int which)
{
    (void)which;
    return v->kind ? json_string(oro_geojson_kinds[v->kind]) : json_null();
}

static json_t *known_highest(const struct oro_vertex *v, int which)
{
    (void)which;
    return isinf(v->prominence) ? json_true() : json_null();
}

/* Adds the property if any vertex of the line has it. */
static void add_property(json_t *properties, const char *name, const struct oro_geojson_line *line,
                         node_of *value, int which)
{
    json_t *values = json_array();
    bool known = false;
    for (size_t i = 0; i < line->count; i++) {
        json_t *node = value(oro_geojson_vertex(line, i), which);
        known = known || !json_is_null(node);
        json_array_append_new(values, node);
    }
    if (known)
        json_object_set(properties, name, line->point ? json_array_get(values, 0) : values);
    json_decref(values);
}

json_t *oro_geojson_properties(const struct oro_geojson_line *line)
{
    json_t *properties = json_object();
    for (int i = 0; i < ORO_GEOJSON_NUMBERS; i++)
        add_property(properties, oro_geojson_numbers[i], line, known_number, i);
    add_property(properties, oro_geojson_highest, line, known_highest, 0);
    add_property(properties, "order", line, known_order, 0);
    add_property(properties, "kind", line, known_kind, 0);
    return properties;
}

static json_t *feature_node(const struct oro_geojson_line *line, const struct oro_place *world)
{
    json_t *node = json_object();
    json_object_set_new(node, "type", json_string("Feature"));
    json_object_set_new(node, "geometry", geometry_node(line, world));
    json_object_set_new(node, "properties", oro_geojson_properties(line));
    return node;
}

/* ---- The file ---- */

/* Nine digits tell all floats apart; eastings and northings are longer. */
enum {
    FLAGS = JSON_REAL_PRECISION(9) | JSON_COMPACT,
    FLAGS_OF_PLACES = JSON_REAL_PRECISION(12) | JSON_COMPACT
};

/* False: memory is out, or the disk is full (which is reported when the file is committed). */
static bool write_features(const struct oro_network *network, const struct oro_place *world, FILE *stream)
{
    bool ok = true;
    size_t flags = world->crs ? FLAGS_OF_PLACES : FLAGS;
    for (uint32_t i = 0; ok && i < network->line_count; i++) {
        struct oro_geojson_line line = oro_geojson_line(network, i);
        json_t *node = feature_node(&line, world);
        ok = fputs(i ? ",\n" : "\n", stream) >= 0 && node && json_dumpf(node, stream, flags) == 0;
        json_decref(node);
    }
    return ok;
}

static bool write_head(const struct oro_place *world, FILE *stream)
{
    char epsg[ORO_GEOJSON_EPSG_MAX];
    if (fputs("{\"type\":\"FeatureCollection\",\n", stream) < 0)
        return false;
    if (!world->crs)
        return fputs("\"note\":\"metres, x east and y south of the north-west corner\",\n", stream) >= 0;
    json_t *crs =
        json_pack("{s:s, s:{s:s}}", "type", "name", "properties", "name", oro_geojson_crs(world->crs, epsg));
    bool ok = crs && fputs("\"crs\":", stream) >= 0 && json_dumpf(crs, stream, JSON_COMPACT) == 0 &&
              fputs(",\n", stream) >= 0;
    json_decref(crs);
    return ok;
}

bool oro_geojson_write(const struct oro_network *network, const struct oro_place *world, const char *path,
                       struct oro_error *err)
{
    static const struct oro_place nowhere = {0};
    struct oro_file_output output;
    unsigned failures = oro_json_failures();
    if (!oro_file_begin(&output, path, err))
        return false;
    if (!world)
        world = &nowhere;
    bool ok = write_head(world, output.stream) && fputs("\"features\":[", output.stream) >= 0 &&
              write_features(network, world, output.stream) && fputs("\n]}\n", output.stream) >= 0;
    bool whole = oro_json_failures() == failures;
    if (ok && whole)
        return oro_file_commit(&output, err);
    oro_file_abort(&output);
    return whole ? oro_fail(err, ORO_E_WRITE, "cannot write '%s': the disk is full", path)
                 : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
}
