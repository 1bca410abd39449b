/* Writes a network to a file. */
#include "base/memory.h"
#include "formats/network/network_file.h"
#include "graph/type/node.h"
#include "terrain/network/network.h"

struct params {
    const char *network, *file;
    float origin[2];
    bool north_up;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(struct params, network, NULL, .doc = "Lines to write"),
    ORO_IN_FILE(struct params, file, "", .writes = true,
                .doc = "File to write: .geojson or .json, which keep all that is known of vertices; .shp, "
                       ".gpkg, .kml, .dxf "
                       "or .svg. Where the world lies somewhere on Earth, "
                       "coordinates are in its system, those of .kml in degrees, and those of .svg in the "
                       "world's metres"),
    ORO_IN_POINT(
        struct params, origin, "0 0", .handle = ORO_HANDLE_NONE, .unit = ORO_METRE, .group = "Place",
        .doc = "Coordinates that the file gives to the world's north-west corner, instead of those of the "
               "world's place on Earth"),
    ORO_IN_BOOL(struct params, north_up, false, .group = "Place",
                .doc = "The file's y goes north, as on maps, and the y of `origin` is that of the northern "
                       "edge. That of .shp, "
                       ".gpkg and .dxf always does"),
    {0},
};
static const struct oro_output outputs[] = {{0}};

/* Reports what is missing before the work on the network is done, not after. */
static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    (void)grid;
    if (!p->file || !p->file[0])
        return oro_shape_fail(s, "no file given: set 'file' to a name, for example \"rivers.geojson\"");
    struct oro_error err = {0};
    return oro_network_file_fits(p->file, oro_shape_place(s), &err) || oro_shape_failed(s, &err);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {0};
    const struct oro_network *network = oro_eval_network(e, "network");
    if (!network)
        return false;
    bool moved = p->origin[0] != 0 || p->origin[1] != 0 || p->north_up;
    bool map = oro_network_file_goes_north(p->file); /* whose writer turns y */
    double south = map ? -(double)p->origin[1] : (double)p->origin[1];
    struct oro_network *placed =
        oro_network_moved(network, (double)p->origin[0], south, p->north_up && !map, &err);
    bool ok = placed && oro_network_file_write(placed, moved ? NULL : oro_eval_place(e), p->file, &err);
    oro_free(placed);
    return ok || oro_eval_failed(e, &err);
}

ORO_NODE(network_export, .version = 1, .category = "output",
         .words = "vector export, GeoJSON, shapefile, GeoPackage, KML, DXF, SVG, GIS, save lines, write "
                  "rivers, spline export",
         .doc = "Writes ridges, rivers or other lines to a file of vectors: GeoJSON, which keeps what is "
                "known of every vertex, "
                "elevation, "
                "drainage, width, order, prominence and kind; or shapefile, GeoPackage, KML, DXF, SVG.",
         .sink = true, .shape = shape, .spread = ORO_SPREAD_HOST, .eval = eval);
