/* Thermal erosion: slopes above the angle of repose slide. */
#include <math.h>

#include "graph/type/node.h"
#include "nodes/lib/duration.h"
#include "nodes/lib/range.h"
#include "nodes/lib/simulation.h"

struct params {
    ORO_DURATION_PARAMS;
    float amount, reference_cell, repose, repose_variation, variation_size, mask;
    int seed;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to stabilise"),
    ORO_IN_DURATION(struct params, 200000, ORO_YEAR, 4e6, "Steps; in each, matter slides one cell down"),
    ORO_IN_MAP(struct params, repose, 46.6, .min = 0, .max = 89, .soft_min = 20, .soft_max = 60,
               .unit = ORO_DEGREE, .group = "Angle of repose",
               .doc = "Angle at which loose material comes to rest"),
    ORO_IN_FLOAT(struct params, repose_variation, 7.9, .min = 0, .max = 45, .unit = ORO_DEGREE,
                 .group = "Angle of repose",
                 .doc = "How far noise varies it, up and down: uniform slopes look artificial"),
    ORO_IN_FLOAT(struct params, variation_size, 435, .min = 0.1, .max = 1e6, .soft_min = 10, .soft_max = 5000,
                 .unit = ORO_METRE, .group = "Angle of repose", .doc = "Size of the noise's features"),
    ORO_IN_FLOAT(
        struct params, amount, 0.00005, .min = 0, .max = 1, .soft_max = 0.001, .group = "Rate",
        .doc = "What slides at most between two reference cells in a thousand years, or between two cells in "
               "one of the given `iterations`, in metres per square metre of reference cell (coefficient k)"),
    ORO_IN_FLOAT(struct params, reference_cell, 20, .min = 0.01, .max = 1e5, .soft_min = 1, .soft_max = 200,
                 .unit = ORO_METRE, .group = "Rate",
                 .doc = "Side of the reference cell, which does not change with the resolution"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Stabilised elevation"),
    {0},
};

/* The spacing of floats at the largest height: steps of this are added without rounding. Heights never leave
 * their range, because matter only goes down. */
static bool least_step(struct oro_eval *e, float *least)
{
    float largest = 0;
    int exponent;
    if (!oro_largest(e, oro_eval_input(e, "terrain"), &largest))
        return false;
    frexpf(fminf(fmaxf(largest, 1e-9F), 1e30F), &exponent);
    *least = ldexpf(1, exponent - 24);
    return true;
}

/* What slides, relative to a reference step on reference cells, and the excess of drop that is enough for
 * that. */
struct slide {
    double share, limit;
};

/* Slopes this much above that of repose slide as fast as any. */
static const double full_slide = 0.05;

/* What crosses a side of a cell in a time is the same at all resolutions, so that a cell's height changes by
 * it over the cell's width. An iteration is as long as matter takes to cross a cell: a reference cell in a
 * reference step, but never so long that more than a tenth of the excess moves. */
static bool plan(struct oro_eval *e, const struct params *p, struct oro_pace *pace, struct slide *slide)
{
    double cell = oro_eval_grid(e)->cell, reference = (double)p->reference_cell, x = cell / reference;
    double most = (double)p->amount * reference * reference; /* metres, between reference cells */
    double longest = most > 0 ? full_slide * cell * x / (10 * most) : x;
    *slide = (struct slide){1, 1};
    if (!oro_pace_plan(e, p->iterations, (double)p->duration, fmin(x, longest), ORO_REFERENCE_YEARS, pace))
        return false;
    if (!pace->counted && most > 0) {
        slide->limit = full_slide * cell / (10 * most);
        slide->share = pace->step / x / slide->limit;
    }
    return true;
}

/* On which grids several iterations a dispatch are faster. */
static const struct oro_iterations_per_dispatch per_dispatch = {
    .reach = 1,
    .arrays = 3,
    .shapes = {{128.0 * 128, {8, 16, 16, 1}}, {256.0 * 256, {8, 32, 16, 2}}, {512.0 * 512, {6, 32, 32, 4}}}};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    float least = 0;
    struct oro_pace pace;
    struct slide slide;
    struct oro_buffer *critical = oro_eval_field(e);
    struct oro_dispatch repose = {.kernel = "erosion/repose.comp",
                                  .slots = {{"critical", critical, ORO_WRITE}},
                                  .reach = ORO_REACH_CELL};
    if (!plan(e, p, &pace, &slide) || !least_step(e, &least) || !oro_eval_dispatch(e, &repose))
        return false;
    struct oro_simulation simulation = {
        .step = {.kernel = "erosion/thermal_erosion.comp",
                 .slots = {{"critical", critical}},
                 .reach = 1,
                 .constants = {{"least", least},
                               {"share", (float)slide.share},
                               {"limit", (float)slide.limit}}},
        .state = {{"height", "height_out"}},
        .shown = "terrain",
        .per_dispatch = &per_dispatch,
    };
    oro_dispatch_strips(e, &simulation.step);
    return oro_simulation_buffers(e, &simulation) &&
           oro_eval_copy(e, oro_eval_input(e, "terrain"), simulation.state[0].now, cells) &&
           oro_simulate(e, &simulation, pace.iterations) &&
           oro_eval_give(e, "terrain", simulation.state[0].now);
}

ORO_NODE(thermal_erosion, .version = 1, .category = "erosion",
         .words = "thermal weathering, talus, slump, scree, landslide, weathering, slides, debris, weathered "
                  "mountains, rockfall, "
                  "repose, erosion, erode",
         .doc =
             "Lets slopes that are too steep slide until they rest. Matter only moves from a cell to a lower "
             "one: none is "
             "lost or made.",
         .paper = "Schott 2024, 4.3, made conservative; Musgrave 1989", .spread = ORO_SPREAD_TILES,
         .scratch_fields = 2, .turns = 1, .eval = eval);
