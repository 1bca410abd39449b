#include "formats/network/network_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/crs.h"
#include "formats/network/network_private.h"
#include "formats/raster_file.h"

enum kind { UNKNOWN, GEOJSON, SVG, VECTORS };
const char oro_network_file_names[] = ".geojson, .json, .shp, .gpkg, .kml, .dxf, .svg";

static enum kind named(const char *path)
{
    static const char *const extensions[][5] = {
        [GEOJSON] = {"geojson", "json"}, [SVG] = {"svg"}, [VECTORS] = {"shp", "gpkg", "kml", "dxf"}};
    enum kind kind = VECTORS;
    while (kind != UNKNOWN && !oro_path_ends_in(path, extensions[kind]))
        kind--;
    return kind;
}

bool oro_network_file_known(const char *path)
{
    return named(path) != UNKNOWN;
}

bool oro_network_file_goes_north(const char *path)
{
    return named(path) == VECTORS;
}

/* ---- Writing ---- */

struct lines {
    const struct oro_network *network;
    char *known; /* at the vertices of the last line */
};

static double mean_of(const struct oro_vector_line *line, int which)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < line->count; i++) {
        struct oro_vertex v = *oro_vector_vertex(line, i);
        float value = *oro_geojson_number(&v, which);
        if (!isfinite(value))
            continue;
        sum += (double)value;
        known++;
    }
    return known ? sum / (double)known : NAN;
}

static double order_of(const struct oro_vector_line *line)
{
    uint32_t order = 0;
    for (size_t i = 0; i < line->count; i++)
        order = oro_vector_vertex(line, i)->order > order ? oro_vector_vertex(line, i)->order : order;
    return order ? (double)order : (double)NAN;
}

static bool take_line(void *user, size_t number, struct oro_vector_line *line, struct oro_error *err)
{
    struct lines *lines = user;
    *line = oro_geojson_line(lines->network, (uint32_t)number);
    const struct oro_vertex *first = oro_vector_vertex(line, 0);
    json_t *properties = oro_geojson_properties(line);
    bool any = json_object_size(properties) > 0;
    free(lines->known); /* jansson's */
    lines->known = any ? json_dumps(properties, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    bool ok = properties && (lines->known || !any);
    json_decref(properties);
    line->numbers[ORO_VECTOR_WIDTH] = mean_of(line, 2);
    line->numbers[ORO_VECTOR_DRAINAGE] = mean_of(line, 1);
    line->numbers[ORO_VECTOR_PROMINENCE] = line->point ? (double)first->prominence : NAN;
    line->numbers[ORO_VECTOR_ORDER] = order_of(line);
    line->kind = line->point && first->kind ? oro_geojson_kinds[first->kind] : NULL;
    line->known = lines->known;
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to write a network");
}

static bool write_vectors(const struct oro_network *network, const struct oro_place *world, const char *path,
                          enum kind kind, struct oro_error *err)
{
    struct lines lines = {.network = network};
    struct oro_vector_lines all = {
        .count = network->line_count, .heights = true, .line = take_line, .user = &lines};
    if (world && world->crs)
        all.place = *world;
    for (uint32_t i = 0; i < network->line_count; i++) {
        struct oro_vector_line line = oro_geojson_line(network, i);
        all.points = all.points || line.point;
        all.polylines = all.polylines || !line.point;
        for (size_t k = 0; k < line.count; k++)
            all.heights = all.heights && isfinite(oro_vector_vertex(&line, k)->elevation);
    }
    bool ok = kind == SVG ? oro_svg_write(path, &all, err) : oro_vector_write(path, &all, err);
    free(lines.known);
    return ok;
}

bool oro_network_file_fits(const char *path, const struct oro_place *world, struct oro_error *err)
{
    if (!oro_network_file_known(path))
        return oro_fail(err, ORO_E_USAGE, "'%s' is no file of lines: end its name with one of %s", path,
                        oro_network_file_names);
    bool degrees = strcasecmp(oro_path_extension(path), "kml") == 0;
    return !degrees || (world && world->crs) ||
           oro_fail(
               err, ORO_E_USAGE,
               "'%s' would be in longitudes and latitudes, and the world lies nowhere: give it a 'crs' and "
               "an 'origin', or write .gpkg or .geojson",
               path);
}

bool oro_network_file_write(const struct oro_network *network, const struct oro_place *world,
                            const char *path, struct oro_error *err)
{
    if (!oro_network_file_fits(path, world, err))
        return false;
    enum kind kind = named(path);
    return kind == GEOJSON ? oro_geojson_write(network, world, path, err)
                           : write_vectors(network, world, path, kind, err);
}

/* ---- Reading ---- */

bool oro_network_file_companions(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    static const char *const beside[] = {"shx", "dbf", "prj", "cpg"};
    const char *extension = oro_path_extension(path);
    bool goes_on = true;
    for (size_t i = 0; goes_on && strcasecmp(extension, "shp") == 0 && i < sizeof beside / sizeof beside[0];
         i++) {
        struct oro_text other = {0};
        oro_text_addf(&other, "%.*s%s", (int)(extension - path), path, beside[i]);
        goes_on = !other.failed && (oro_stamp_of(other.data).inode == 0 || visit(user, other.data));
        oro_text_free(&other);
    }
    return goes_on;
}

static bool begins_with(const char *head, size_t size, const char *bytes, size_t length)
{
    return size >= length && memcmp(head, bytes, length) == 0;
}

/* What a file is by its first bytes; by its name where these tell nothing. */
static enum kind kind_of(const char *path)
{
    enum { HEAD = 4096 };
    char head[HEAD + 1];
    struct oro_raster_file file;
    enum kind by_name = named(path);
    by_name = by_name == UNKNOWN ? VECTORS : by_name;
    if (!oro_raster_open(&file, path, NULL, NULL))
        return by_name;
    size_t size = fread(head, 1, HEAD, file.stream);
    oro_raster_close(&file);
    head[size] = '\0';
    const char *text = head + (begins_with(head, size, "\xef\xbb\xbf", 3) ? 3 : 0);
    text += strspn(text, " \t\r\n");
    if (*text == '{' || *text == '[')
        return GEOJSON;
    if (*text == '<')
        return strstr(text, "<svg") || strstr(text, ":svg") ? SVG : VECTORS;
    bool shapes = begins_with(head, size, "\0\0\x27\x0a", 4), sqlite = begins_with(head, size, "SQLite", 6);
    return shapes || sqlite || strstr(text, "SECTION") ? VECTORS : by_name;
}

static bool load(const char *path, enum kind kind, struct oro_geojson_text *given, struct oro_error *err)
{
    void *text = NULL;
    if (kind == SVG)
        return oro_svg_read(path, ORO_GEOJSON_BYTES_MAX, &given->text, err);
    if (kind == VECTORS)
        return oro_vector_read(path, ORO_GEOJSON_BYTES_MAX, &given->text, &given->crs, err);
    bool ok = oro_file_read(path, ORO_GEOJSON_BYTES_MAX, &text, &given->text.length, err);
    given->text.data = text;
    return ok;
}

static struct oro_network *read_in(const char *path, const struct oro_place *world, char **told,
                                   const struct oro_log *log, struct oro_error *err)
{
    enum kind kind = kind_of(path);
    struct oro_geojson_text given = {.on_plane = kind == SVG, .is_map = kind == VECTORS, .told = told};
    struct oro_network *network =
        load(path, kind, &given, err) ? oro_geojson_take(path, &given, world, log, err) : NULL;
    oro_text_free(&given.text);
    oro_free(given.crs);
    return network;
}

struct oro_network *oro_network_file_read(const char *path, const struct oro_place *world,
                                          const struct oro_log *log, struct oro_error *err)
{
    return read_in(path, world, NULL, log, err);
}

bool oro_network_file_read_two(const char *const paths[2], struct oro_network *networks[2],
                               struct oro_error *err)
{
    struct oro_place common = {0};
    bool ok = true, degrees = false;
    networks[0] = networks[1] = NULL;
    for (int i = 0; ok && i < 2; i++) {
        char *told = NULL;
        networks[i] = read_in(paths[i], NULL, &told, NULL, err);
        ok = networks[i];
        bool metres = told && oro_crs_check(told, NULL);
        degrees = degrees || (told && !metres);
        if (metres && !common.crs)
            common.crs = told;
        else
            oro_free(told);
    }
    if (ok && degrees && !common.crs)
        ok = oro_fail(
            err, ORO_E_FILE,
            "'%s' and '%s': one is in longitudes and latitudes, and none tells a system in metres, in "
            "which both could be compared",
            paths[0], paths[1]);
    for (int i = 0; ok && common.crs && i < 2; i++) {
        oro_free(networks[i]);
        networks[i] = read_in(paths[i], &common, NULL, NULL, err);
        ok = networks[i];
    }
    oro_free(common.crs);
    return ok;
}
