/* Snow: where it lies, and how deep. */
#include "graph/type/node.h"
#include "nodes/mask/quadratic.h"

struct params {
    float altitude, transition, slope, softness, aspect, direction, wind, radius, depth, mask;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Ground that it snows on"),
    ORO_IN_MAP(struct params, altitude, 1500, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
               .unit = ORO_METRE, .group = "Altitude",
               .doc = "The snow line: half of the level ground of this elevation is covered"),
    ORO_IN_MAP(struct params, transition, 400, .min = 0, .max = 1e6, .soft_max = 2000, .unit = ORO_METRE,
               .group = "Altitude",
               .doc = "The cover closes over so many metres of elevation, half of them below the snow line"),
    ORO_IN_MAP(struct params, aspect, 300, .min = 0, .max = 1e6, .soft_max = 1500, .unit = ORO_METRE,
               .group = "Sun",
               .doc = "The snow line lies so much lower on slopes of 45 degrees that face away from the sun, "
                      "and higher on those that face it; on gentler ones less"),
    ORO_IN_MAP(struct params, direction, 180, .handle = ORO_HANDLE_ROTATION, .min = -360, .max = 360,
               .soft_min = 0, .unit = ORO_DEGREE, .group = "Sun",
               .doc = "Compass direction of the sun at noon: 180, south, on the northern half of the earth"),
    ORO_IN_MAP(
        struct params, slope, 40, .min = 0, .max = 90, .unit = ORO_DEGREE, .group = "Slope",
        .doc = "Snow slides off ground steeper than this. In hollows it holds on somewhat steeper ground, "
               "on ridges on less steep"),
    ORO_IN_MAP(struct params, softness, 15, .min = 0, .max = 90, .soft_max = 45, .unit = ORO_DEGREE,
               .group = "Slope", .doc = "Ground is bare that is so much steeper than `slope`"),
    ORO_IN_MAP(struct params, wind, 0.5, .min = 0, .max = 1, .group = "Wind",
               .doc = "How far the wind carries snow from ridges into hollows: 0 not at all; with 1 it blows "
                      "sharp ridges clear, fills hollows twice as deep, and the snow line follows both"),
    ORO_IN_FLOAT(struct params, radius, 100, .min = 0, .max = 1e6, .soft_max = 1000, .unit = ORO_METRE,
                 .group = "Wind",
                 .doc = "Size of the ridges and hollows: the ground is looked at so far around each cell"),
    ORO_IN_MAP(struct params, depth, 3, .min = 0, .max = 1e4, .soft_max = 50, .unit = ORO_METRE,
               .doc =
                   "Depth of the snow on even ground where the cover is closed. What is rough by less than "
                   "half of this is evened out"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Surface of the snow, or bare ground"),
    ORO_OUT_FIELD("snow", .like = "terrain", .doc = "How much of the ground is covered: 0 none, 1 all"),
    ORO_OUT_FIELD("depth", .like = "terrain", .unit = ORO_METRE, .doc = "Depth of the snow"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_dispatch extras = {0};
    return oro_quadratic_fit(e, oro_eval_input(e, "terrain"), (double)p->radius, &extras) &&
           oro_eval_default(e, &extras);
}

ORO_NODE(
    snow_line, .version = 1, .category = "mask",
    .words = "snow, snowfall, snow cover, snowcap, ice, winter, frost",
    .doc = "Covers high ground with snow. It lies above a snow line, which is lower on shaded sides; it "
           "slides off steep ground; the wind clears ridges and fills hollows; and its surface is smoother "
           "than the ground. Use `snow` as a mask for materials, and `terrain` where the snow is deep enough "
           "to change the shape of the land.",
    .scratch_fields = 3, .spread = ORO_SPREAD_TILES, .kernel = "mask/snow_line.comp", .eval = eval);
