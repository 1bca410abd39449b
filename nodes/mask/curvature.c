/* How the ground is bent: ridges, hollows, spurs. */
#include "graph/type/node.h"
#include "nodes/mask/quadratic.h"

struct params {
    float radius, contrast;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to measure"),
    ORO_IN_FLOAT(struct params, radius, 100, .min = 0, .max = 1e6, .soft_max = 1000, .unit = ORO_METRE,
                 .doc = "The ground is looked at so far around each cell, and what is much smaller does not "
                        "count. With several cells to the radius, all resolutions agree; it is one and a "
                        "half cells at least"),
    ORO_IN_MAP(
        struct params, contrast, 3, .min = 0, .max = 1000, .soft_max = 20,
        .doc = "Of `field`: how soon it is bright or dark. It is 0.85 where this times `mean` times `radius` "
               "is 1, 0.15 where that is -1"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .like = "terrain",
                  .doc = "For use as a mask: `mean` from 0, hollows, over 0.5, even ground, to 1, ridges"),
    ORO_OUT_FIELD("mean", .like = "terrain", .unit = ORO_PER_METRE,
                  .doc = "Mean of the curvatures in two directions at right angles to each other"),
    ORO_OUT_FIELD(
        "profile", .like = "terrain", .unit = ORO_PER_METRE,
        .doc = "Curvature of the slope from top to bottom, cut upright along the line of steepest fall: "
               "above 0 where it gets steeper on the way down, below 0 at its foot; 0 on level ground"),
    ORO_OUT_FIELD("plan", .like = "terrain", .unit = ORO_PER_METRE,
                  .doc = "Curvature of the contour line on the map: above 0 on spurs, where water parts, "
                         "below 0 in gullies, where it gathers; 0 on level ground. At most one over the "
                         "size of a cell"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_dispatch extras = {0};
    return oro_quadratic_fit(e, oro_eval_input(e, "terrain"), (double)p->radius, &extras) &&
           oro_eval_default(e, &extras);
}

ORO_NODE(curvature, .version = 1, .category = "mask",
         .words = "convexity, concavity, cavity, convex, concave, edges, Laplacian, ridges, hollows",
         .doc =
             "Measures how the ground is bent, above 0 where it is convex: a circle of 100 m has 0.01 per "
             "metre. A quadratic surface is fitted to the ground around each cell, near cells counting more "
             "than far ones, and its curvatures are given. Over a small `radius` it shows edges and gullies, "
             "over a large one ridges and valleys.",
         .paper = "Evans 1972, General geomorphometry; Wood 1996, chapter 4; definitions as in Minar 2020, A "
                  "comprehensive system of definitions of land surface curvatures",
         .spread = ORO_SPREAD_TILES, .scratch_fields = 3, .kernel = "mask/curvature.comp", .eval = eval);
