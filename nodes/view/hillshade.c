/* A shaded relief picture. */
#include "graph/type/node.h"
#include "nodes/lib/range.h"

struct params {
    int method;
    float azimuth, altitude, exaggeration, tint, low, high, ambient, river_area, overlay;
    float river_colour[4], overlay_colour[4];
};

static const char *const methods[] = {"multidirectional", "single", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to show"),
    ORO_IN_FIELD("drainage", .optional = true, .unit = ORO_SQUARE_METRE,
                 .doc = "Drainage area, as the `drainage` node gives it: rivers are drawn where it is large"),
    ORO_IN_VECTOR("gradient", .optional = true,
                  .doc = "Slope of the terrain, as `phasor` gives it: exact, where else it is taken from "
                         "neighbouring cells. For the light alone"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods, .group = "Light",
        .doc =
            "multidirectional: four lights 45 degrees apart, of which each slope is lit by those that graze "
            "it. single: one light"),
    ORO_IN_FLOAT(struct params, azimuth, 315, .handle = ORO_HANDLE_ROTATION, .min = -360, .max = 360,
                 .soft_min = 0, .unit = ORO_DEGREE, .group = "Light",
                 .doc = "Compass direction the main light comes from: 315 is north-west"),
    ORO_IN_FLOAT(struct params, altitude, 45, .min = 1, .max = 90, .unit = ORO_DEGREE, .group = "Light",
                 .doc = "Height of the light above the horizon: low light brings out gentle ground"),
    ORO_IN_FLOAT(struct params, ambient, 0.6, .min = 0, .max = 1, .group = "Light",
                 .doc = "Darkens valleys and gorges, where little of the sky is seen: 0 for none"),
    ORO_IN_FLOAT(struct params, exaggeration, 1.5, .min = 0, .max = 100, .soft_min = 0.5, .soft_max = 5,
                 .group = "Light", .doc = "Heights are multiplied by this for the light"),
    ORO_IN_FLOAT(struct params, tint, 0.75, .min = 0, .max = 1, .group = "Colour",
                 .doc = "Strength of the colours by elevation: 0 for grey"),
    ORO_IN_FLOAT(struct params, low, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .group = "Colour",
                 .doc =
                     "Elevation of the lowest colour. `low` equal to `high` takes the terrain's own range"),
    ORO_IN_FLOAT(struct params, high, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .group = "Colour", .doc = "Elevation of the highest colour"),
    ORO_IN_FLOAT(struct params, river_area, 500000, .min = 0, .max = 1e12, .soft_max = 1e7,
                 .unit = ORO_SQUARE_METRE, .group = "Rivers",
                 .doc = "A river is drawn where at least this much land drains through"),
    ORO_IN_COLOUR(struct params, river_colour, "#3f74a8", .group = "Rivers", .doc = "Colour of rivers"),
    ORO_IN_MAP(struct params, overlay, 0, .min = 0, .max = 1, .group = "Overlay",
               .doc =
                   "Tints the ground where it is above 0, fully at 1 and above: link a mask to see where it "
                   "lies"),
    ORO_IN_COLOUR(struct params, overlay_colour, "#d8402a", .group = "Overlay",
                  .doc = "Colour of the overlay; its opacity limits how strong the tint gets"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_IMAGE("image", .like = "terrain", .doc = "The picture"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    float range[2] = {p->low, p->high};
    if (p->low == p->high && !oro_field_range(e, "terrain", range))
        return false;
    const int skyline = 128, river = 2; /* cells: open_sky(), river_cover() */
    return oro_eval_default(e, &(struct oro_dispatch){.reach = p->ambient > 0 ? skyline : river,
                                                      .constants = {{"low", range[0]}, {"high", range[1]}}});
}

ORO_NODE(hillshade, .version = 1, .category = "view",
         .words = "shaded relief, light, sun, ambient occlusion, shading, lighting, shadow, occlusion, light "
                  "map, AO, render",
         .doc =
             "Draws a terrain from above as in an atlas: light and shade, colours by elevation, and rivers "
             "when `drainage` is linked. A mask linked to `overlay` is painted on the ground.",
         .spread = ORO_SPREAD_TILES, .kernel = "view/hillshade.comp", .eval = eval);
