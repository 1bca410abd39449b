/* Selects ground by what it is like. */
#include "graph/type/node.h"
#include "nodes/lib/distance.h"
#include "nodes/lib/range.h"

struct params {
    int method, curvature, blend;
    float low, high, softness_low, softness_high, direction, width, radius;
    bool invert;
};

enum { HEIGHT, SLOPE, CURVATURE, ASPECT, DRAINAGE, DISTANCE };
static const char *const methods[] = {"height", "slope", "curvature", "aspect", "drainage", "distance", NULL};
static const char *const curvatures[] = {"mean", "profile", "plan", NULL};
static const char *const blends[] = {"replace", "multiply", "add", "subtract", "max", "min", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Ground to select from; any field, for height"),
    ORO_IN_CHOICE(
        struct params, method, HEIGHT, methods,
        .doc = "What `low` and `high` are about. height: elevation, metres. slope: steepness, degrees. "
               "curvature: of ridges above 0, of hollows below, 1/m. drainage: area that drains through a "
               "place, square metres. distance: from what `from` marks, metres. aspect: the compass "
               "direction that slopes face, by `direction` and `width` instead"),
    ORO_IN_MAP(struct params, low, 500, .when = "method!=aspect", .min = -1e12, .max = 1e12,
               .soft_min = -1000, .soft_max = 4000, .group = "Range",
               .doc = "Selected from here, in the unit of the method. Not of aspect"),
    ORO_IN_MAP(struct params, high, 1500, .when = "method!=aspect", .min = -1e12, .max = 1e12,
               .soft_min = -1000, .soft_max = 4000, .group = "Range",
               .doc = "Up to here, in the unit of the method; 1e12 for no end. Not of aspect"),
    ORO_IN_MAP(struct params, softness_low, 0, .min = 0, .max = 1e12, .soft_max = 1000, .group = "Range",
               .doc =
                   "The mask fades over so much below `low`, in the unit of the method: 0 for a hard edge. "
                   "Of aspect: degrees anticlockwise of the width"),
    ORO_IN_MAP(struct params, softness_high, 0, .min = 0, .max = 1e12, .soft_max = 1000, .group = "Range",
               .doc = "The same above `high`. Of aspect: degrees clockwise of the width"),
    ORO_IN_MAP(struct params, direction, 0, .when = "method=aspect", .handle = ORO_HANDLE_ROTATION,
               .min = -360, .max = 360, .soft_min = 0, .unit = ORO_DEGREE, .group = "Aspect",
               .doc = "Of aspect: the middle of the selected directions, towards which slopes fall. 0 is "
                      "north, 90 east. Level ground faces nowhere and is not selected"),
    ORO_IN_MAP(struct params, width, 90, .when = "method=aspect", .min = 0, .max = 360, .unit = ORO_DEGREE,
               .group = "Aspect",
               .doc =
                   "Of aspect: selected directions from one end to the other: 90 is an eighth of the circle "
                   "on each side"),
    ORO_IN_CHOICE(struct params, curvature, 0, curvatures, .when = "method=curvature", .group = "Curvature",
                  .doc = "Of curvature: which one, as the node `curvature` says. mean: ridges and hollows. "
                         "profile: edges and feet of slopes. plan: spurs and gullies"),
    ORO_IN_FLOAT(struct params, radius, 100, .when = "method=curvature", .min = 0, .max = 1e6,
                 .soft_max = 1000, .unit = ORO_METRE, .group = "Curvature",
                 .doc = "Of curvature: how far around each cell the ground is looked at"),
    ORO_IN_FIELD("drainage", .when = "method=drainage", .optional = true, .unit = ORO_SQUARE_METRE,
                 .group = "Drainage", .doc = "Of drainage: the area; without it, that of `flow`"),
    ORO_IN_FIELD("from", .when = "method=distance", .optional = true, .group = "Distance",
                 .doc = "Of distance: a mask; distances are from the middle of its nearest cell above 0.5, "
                        "exactly. The method needs it"),
    ORO_IN_BOOL(struct params, invert, false, .group = "Mask", .doc = "Selects all the rest instead"),
    ORO_IN_FIELD("mask", .role = ORO_ROLE_MASK, .optional = true, .group = "Mask",
                 .doc = "A mask to combine the selection with, as `blend` says; without it, the mask is the "
                        "selection"),
    ORO_IN_CHOICE(struct params, blend, 1, blends, .group = "Mask",
                  .doc = "How. replace: `mask` does not count. multiply: the selection within `mask`. add: "
                         "the sum of both. subtract: `mask` without the selection. max, min: the higher, the "
                         "lower of both. The result is held to 0..1"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("mask", .like = "terrain", .doc = "1 where the ground is selected, 0 where it is not"),
    {0},
};

/* This node once more, with what another one measured. */
static int select_from(struct oro_build *b, const char *input, int measured, const char *output)
{
    static const char *const names[] = {"low",    "high", "softness_low", "softness_high",
                                        "invert", "mask", "blend",        NULL};
    int node = oro_build_node(b, "mask_select", "select");
    oro_build_link(b, node, input, measured, output);
    for (const char *const *name = names; *name; name++)
        oro_build_forward(b, node, *name, *name);
    oro_build_output(b, "mask", node, "mask");
    return node;
}

/* What other nodes measure is left to them, so that it is measured once for all that ask. Slopes and
 * curvatures are then selected as heights of a raster. */
static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    if (p->method == SLOPE) {
        int slope = oro_build_node(b, "slope", "slope");
        oro_build_forward(b, slope, "terrain", "terrain");
        select_from(b, "terrain", slope, "field");
    }
    if (p->method == CURVATURE) {
        int curvature = oro_build_node(b, "curvature", "curvature");
        oro_build_forward(b, curvature, "terrain", "terrain");
        oro_build_forward(b, curvature, "radius", "radius");
        select_from(b, "terrain", curvature, curvatures[p->curvature]);
    }
    if (p->method == DRAINAGE && !oro_build_linked(b, "drainage")) {
        int flow = oro_build_node(b, "flow", "flow");
        oro_build_forward(b, flow, "terrain", "terrain");
        int node = select_from(b, "drainage", flow, "drainage");
        oro_build_forward(b, node, "terrain", "terrain");
        oro_build_forward(b, node, "method", "method");
    }
    return true;
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    (void)grid;
    if (p->method != DISTANCE)
        return true;
    oro_shape_scratch(s, 3.0 * sizeof(float) * (double)oro_grid_cells(oro_shape_input(s, "terrain")));
    return oro_shape_input(s, "from") ||
           oro_shape_fail(s, "link 'from': the mask from which distances are measured");
}

static struct oro_buffer *measure_distance(struct oro_eval *e)
{
    struct oro_buffer *nearest = oro_eval_field(e), *distance = oro_eval_field(e);
    struct oro_dispatch mark = {
        .kernel = "mask/mask_select_mark.comp",
        .slots = {{"from", oro_eval_input(e, "from")}, {"nearest", nearest, ORO_WRITE, "int"}},
        .reach = ORO_REACH_CELL,
        .maps = (const char *const[]){NULL}};
    return oro_eval_dispatch(e, &mark) && oro_distance(e, nearest, distance) ? distance : NULL;
}

/* The raster to select from; for aspect, the ground itself. */
static struct oro_buffer *measured(struct oro_eval *e, const struct params *p)
{
    return p->method == DISTANCE   ? measure_distance(e)
           : p->method == DRAINAGE ? oro_eval_input(e, "drainage")
                                   : oro_eval_input(e, "terrain");
}

/* Usually nothing is selected because the ends are still those of another method, so the log says what there
 * was to select from. */
static bool tell_what_there_is(struct oro_eval *e, const struct params *p)
{
    const float *values = oro_eval_input_host(e, p->method == DRAINAGE ? "drainage" : "terrain");
    float range[2];
    if (!values)
        return false;
    oro_range(values, oro_grid_cells(oro_eval_grid(e)), range);
    oro_note(oro_eval_log(e), ORO_WARNING,
             "mask_select: nothing is selected: what the method measures lies between %g and %g here; set "
             "'low' and 'high' accordingly",
             (double)range[0], (double)range[1]);
    return true;
}

static bool tell_if_nothing(struct oro_eval *e, const struct params *p, struct oro_buffer *mask)
{
    double selected = 0;
    if (!oro_sum(e, mask, oro_grid_cells(oro_eval_grid(e)), &selected))
        return false;
    if (selected > 0 || p->method == ASPECT)
        return true;
    if (p->method != DISTANCE)
        return tell_what_there_is(e, p);
    oro_note(
        oro_eval_log(e), ORO_WARNING,
        "mask_select: nothing is selected: either 'from' marks nothing, no cell of it being above 0.5, or "
        "nothing lies between 'low' and 'high' metres from it");
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_buffer *mask = oro_eval_field(e);
    struct oro_dispatch extras = {.slots = {{"measured", measured(e, p)}, {"mask_out", mask, ORO_WRITE}}};
    return oro_eval_default(e, &extras) &&
           (oro_eval_linked(e, "mask") || p->invert || tell_if_nothing(e, p, mask));
}

static const struct oro_use uses[] = {
    {.id = "slope",
     .label = "Select by slope",
     .words = "slope mask, steepness, cliffs, steep, angle, flat ground",
     .set = {{"method", "slope"}, {"low", "35"}, {"high", "90"}, {"softness_low", "5"}}},
    {.id = "curvature",
     .label = "Select by curvature",
     .words = "curvature mask, convex, ridges, cavity, edges, hollows",
     .set = {{"method", "curvature"}, {"low", "0.001"}, {"high", "1000000000000"}}},
    {.id = "aspect",
     .label = "Select by aspect",
     .words = "aspect mask, facing, exposure, direction, orientation, north side, sunny side",
     .set = {{"method", "aspect"}}},
    {.id = "drainage",
     .label = "Select by drainage",
     .words = "river mask, flow mask, wet, channels, streams",
     .set = {{"method", "drainage"}, {"low", "100000"}, {"high", "1000000000000"}}},
    {.id = "distance",
     .label = "Select by distance",
     .words = "proximity, expand, grow, buffer, near, dilate",
     .set = {{"method", "distance"}, {"low", "0"}, {"high", "200"}}},
    {0},
};

ORO_NODE(
    mask_select, .version = 1, .category = "mask",
    .words = "mask, select, selector, select height, height mask, threshold, isolate, by height, altitude, "
             "elevation mask",
    .uses = uses,
    .doc =
        "Selects ground by what it is like: by height, slope, curvature, aspect, drainage or distance. All "
        "between `low` and `high` gets 1, and the mask fades smoothly beyond both. A chain of these, each "
        "linked to the `mask` of the next, selects by several at once.",
    .shape = shape, .spread = ORO_SPREAD_TILES, .reach = 1, .kernel = "mask/mask_select.comp", .eval = eval,
    .expand = expand);
