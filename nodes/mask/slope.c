/* How steep the ground is. */
#include "graph/type/node.h"

struct params {
    int method;
};

static const char *const methods[] = {"angle", "tangent", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to measure"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods,
        .doc =
            "angle: in degrees, 0 level to 90 upright. tangent: metres of fall per metre, 1 at 45 degrees"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .like = "terrain",
                  .doc = "Steepness: degrees, or metres per metre"),
    {0},
};

ORO_NODE(slope, .version = 1, .category = "mask", .words = "steepness, gradient, angle, incline, grade",
         .doc =
             "Measures how steep the ground is, from each cell and its eight neighbours. Make a mask of it "
             "with `remap`.",
         .paper = "Horn 1981, Hill shading and the reflectance map", .spread = ORO_SPREAD_TILES, .reach = 1,
         .kernel = "mask/slope.comp");
