#include <math.h>

#include <jansson.h>

#include "base/file.h"
#include "formats/network/network_private.h"
#include "formats/sidecar/json_memory.h"

struct oro_vector_line oro_geojson_line(const struct oro_network *network, uint32_t number)
{
    const uint32_t *starts = oro_network_starts(network);
    struct oro_vector_line line = {.vertices = oro_network_vertices(network),
                                   .indices = oro_network_indices(network) + starts[number],
                                   .count = starts[number + 1] - starts[number]};
    line.point = line.count == 2 && line.indices[0] == line.indices[1];
    return line;
}

static json_t *position_node(const struct oro_vertex *v, const struct oro_place *world)
{
    double x = (double)v->x, y = (double)v->y;
    json_t *node = json_pack("[f, f]", world->crs ? world->west + x : x, world->crs ? world->north - y : y);
    if (!isnan(v->elevation))
        json_array_append_new(node, json_real((double)v->elevation));
    return node;
}

static json_t *geometry_node(const struct oro_vector_line *line, const struct oro_place *world)
{
    if (line->point)
        return json_pack("{s:s, s:o}", "type", "Point", "coordinates",
                         position_node(oro_vector_vertex(line, 0), world));
    json_t *positions = json_array();
    for (size_t i = 0; i < line->count; i++)
        json_array_append_new(positions, position_node(oro_vector_vertex(line, i), world));
    return json_pack("{s:s, s:o}", "type", "LineString", "coordinates", positions);
}

/* ---- Properties ---- */

/* Behind the numbers (oro_geojson_numbers). */
enum { HIGHEST = ORO_GEOJSON_NUMBERS, ORDER, KIND, PROPERTIES };
static const char *const others[] = {"highest", "order", "kind"};

/* JSON's null where it is not known. */
static json_t *value_of(const struct oro_vertex *v, int property)
{
    struct oro_vertex copy = *v;
    float number = property < ORO_GEOJSON_NUMBERS ? *oro_geojson_number(&copy, property) : NAN;
    if (isfinite(number))
        return json_real((double)number);
    if (property == HIGHEST && isinf(v->prominence))
        return json_true();
    if (property == ORDER && v->order)
        return json_integer(v->order);
    return property == KIND && v->kind ? json_string(oro_geojson_kinds[v->kind]) : json_null();
}

/* Those that any vertex of the line has. */
json_t *oro_geojson_properties(const struct oro_vector_line *line)
{
    json_t *properties = json_object();
    for (int property = 0; property < PROPERTIES; property++) {
        const char *name = property < HIGHEST ? oro_geojson_numbers[property] : others[property - HIGHEST];
        json_t *values = json_array();
        bool known = false;
        for (size_t i = 0; i < line->count; i++) {
            json_t *node = value_of(oro_vector_vertex(line, i), property);
            known = known || !json_is_null(node);
            json_array_append_new(values, node);
        }
        if (known)
            json_object_set(properties, name, line->point ? json_array_get(values, 0) : values);
        json_decref(values);
    }
    return properties;
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
        struct oro_vector_line line = oro_geojson_line(network, i);
        json_t *node = json_pack("{s:s, s:o, s:o}", "type", "Feature", "geometry",
                                 geometry_node(&line, world), "properties", oro_geojson_properties(&line));
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
