/* Writes a network to a file. */
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/network/geojson.h"
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
                .doc = "GeoJSON file to write: .geojson or .json. Where the world lies somewhere on Earth, "
                       "coordinates are in its system"),
    ORO_IN_POINT(
        struct params, origin, "0 0", .handle = ORO_HANDLE_NONE, .unit = ORO_METRE, .group = "Place",
        .doc = "Coordinates that the file gives to the world's north-west corner, instead of those of the "
               "world's place on Earth"),
    ORO_IN_BOOL(
        struct params, north_up, false, .group = "Place",
        .doc = "The file's y goes north, as on maps, and the y of `origin` is that of the northern edge"),
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
    const char *extension = oro_path_extension(p->file);
    return strcasecmp(extension, "geojson") == 0 || strcasecmp(extension, "json") == 0 ||
           oro_shape_fail(s, "a network is written as GeoJSON: end the name '%s' with .geojson", p->file);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {0};
    const struct oro_network *network = oro_eval_network(e, "network");
    if (!network)
        return false;
    bool moved = p->origin[0] != 0 || p->origin[1] != 0 || p->north_up;
    struct oro_network *placed =
        oro_network_moved(network, (double)p->origin[0], (double)p->origin[1], p->north_up, &err);
    bool ok = placed && oro_geojson_write(placed, moved ? NULL : oro_eval_place(e), p->file, &err);
    oro_free(placed);
    return ok || oro_eval_failed(e, &err);
}

ORO_NODE(network_export, .version = 1, .category = "output",
         .words = "vector export, GeoJSON, GIS, save lines, write rivers, spline export",
         .doc =
             "Writes ridges, rivers or other lines to a GeoJSON file, with what is known of every vertex: "
             "elevation, "
             "drainage, width, order, prominence and kind. GIS programs read it; its coordinates are metres.",
         .sink = true, .shape = shape, .spread = ORO_SPREAD_HOST, .eval = eval);
