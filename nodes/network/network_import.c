/* Reads a network from a file. */
#include <math.h>

#include "base/memory.h"
#include "formats/network/geojson.h"
#include "graph/type/node.h"
#include "terrain/network/network.h"

struct params {
    const char *file;
    float origin[2];
    bool north_up;
};

static const struct oro_input inputs[] = {
    ORO_IN_FILE(
        struct params, file, "",
        .doc =
            "GeoJSON to read, beside the document: lines and points, in metres; x goes east and y south "
            "from the north-west corner of the world. Where the world lies somewhere on Earth, files in any "
            "coordinate system are put where they belong: the one that they name (\"crs\"), or else "
            "longitudes and latitudes, if no coordinate is beyond 180 and 90"),
    ORO_IN_POINT(
        struct params, origin, "0 0", .handle = ORO_HANDLE_NONE, .unit = ORO_METRE, .group = "Place",
        .doc = "Coordinates in the file of the world's north-west corner, for files in the metres of a map"),
    ORO_IN_BOOL(struct params, north_up, false, .group = "Place",
                .doc = "The file's y goes north, as on maps; set `origin` too"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_NETWORK("network", .doc = "The lines, with what the file says of their vertices"),
    {0},
};

/* Warns of longitudes and latitudes, which are not metres: everything would lie within a few paces. */
static void warn_of_degrees(struct oro_eval *e, const char *file, const struct oro_network *network)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    const struct oro_vertex *v = oro_network_vertices(network);
    bool degrees = !oro_eval_place(e)->crs && network->vertex_count > 0 &&
                   grid->cell * fmax(grid->width, grid->height) > 1000;
    for (uint32_t i = 0; degrees && i < network->vertex_count; i++)
        degrees = fabsf(v[i].x) <= 180 && fabsf(v[i].y) <= 90;
    if (degrees)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "%s seems to be in longitudes and latitudes: it is taken to be in metres; let the world lie "
                 "somewhere (its crs and origin), or project it first",
                 file);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {0};
    if (!p->file || !p->file[0])
        return oro_eval_fail(
            e, ORO_E_DOCUMENT,
            "no file given: set 'file' to a network beside the document, for example \"rivers.geojson\"");
    struct oro_network *read = oro_geojson_read(p->file, oro_eval_place(e), &err);
    if (!read)
        return oro_eval_failed(e, &err);
    warn_of_degrees(e, p->file, read);
    double east = -(double)p->origin[0], south = p->north_up ? (double)p->origin[1] : -(double)p->origin[1];
    struct oro_network *placed = oro_network_moved(read, east, south, p->north_up, &err);
    oro_free(read);
    return oro_eval_give_network(e, "network", placed, &err);
}

ORO_NODE(
    network_import, .version = 1, .category = "network",
    .words = "vector import, GeoJSON, GIS, load lines, read rivers, spline import, OSM",
    .doc = "Reads ridges, rivers or other lines from a GeoJSON file: LineString, MultiLineString and Point. "
           "Elevation "
           "is the third coordinate, or a property; `network_export` writes such files.",
    .placed = true, .spread = ORO_SPREAD_HOST, .eval = eval);
