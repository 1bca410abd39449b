/* Reads a network from a file. */
#include <math.h>

#include "base/memory.h"
#include "formats/network/network_file.h"
#include "graph/type/node.h"
#include "terrain/network/network.h"

struct params {
    const char *file;
    float origin[2];
    bool north_up;
};

static const struct oro_input inputs[] = {
    ORO_IN_FILE(struct params, file, "", .companions = oro_network_file_companions,
                .doc = "File to read, beside the document: .geojson, .shp, .gpkg, .kml, .dxf or .svg, with "
                       "lines and points in metres. "
                       "x goes east from the north-west corner of the world; y goes south from there in "
                       ".geojson and .svg, and north in "
                       "the others. Where the world lies somewhere on Earth, files in any "
                       "coordinate system are put where they belong: the one that they tell, or else "
                       "longitudes and latitudes, if no coordinate is beyond 180 and 90. .svg is always in "
                       "the world's metres"),
    ORO_IN_POINT(
        struct params, origin, "0 0", .handle = ORO_HANDLE_NONE, .unit = ORO_METRE, .group = "Place",
        .doc = "Coordinates in the file of the world's north-west corner, for files in the metres of a map"),
    ORO_IN_BOOL(struct params, north_up, false, .group = "Place",
                .doc = "The file's y goes north, as on maps; set `origin` too. That of .shp, .gpkg, .kml and "
                       ".dxf always "
                       "does"),
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
    struct oro_network *read = oro_network_file_read(p->file, oro_eval_place(e), oro_eval_log(e), &err);
    if (!read)
        return oro_eval_failed(e, &err);
    warn_of_degrees(e, p->file, read);
    /* Of maps it is turned already. */
    bool map = oro_network_file_goes_north(p->file), turned = p->north_up && !map;
    double east = -(double)p->origin[0],
           south = p->north_up || map ? (double)p->origin[1] : -(double)p->origin[1];
    struct oro_network *placed = oro_network_moved(read, east, south, turned, &err);
    oro_free(read);
    return oro_eval_give_network(e, "network", placed, &err);
}

ORO_NODE(network_import, .version = 1, .category = "network",
         .words = "vector import, GeoJSON, shapefile, GeoPackage, KML, DXF, SVG, GIS, load lines, read "
                  "rivers, spline import, OSM",
         .doc = "Reads ridges, rivers or other lines from a file of vectors: GeoJSON, shapefile, GeoPackage, "
                "KML, DXF, SVG. "
                "Elevation "
                "is the third coordinate, or a property; `network_export` writes such files.",
         .placed = true, .spread = ORO_SPREAD_HOST, .eval = eval);
