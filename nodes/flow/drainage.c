/* Drainage area by relaxation: fast, and right where the simulations need it. */
#include "graph/type/node.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/simulation.h"

struct params {
    int iterations;
    ORO_FLOW_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_DRAINAGE,
    ORO_IN_INT(struct params, iterations, 512, .role = ORO_ROLE_ITERATIONS, .min = 0, .max = 100000,
               .soft_max = 4000,
               .doc = "Steps of one cell that the water moves. It has arrived everywhere when they are about "
                      "as many as "
                      "the longest river has cells"),
    ORO_IN_FLOW(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("drainage", .like = "terrain", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell"),
    {0},
};

/* On which grids several iterations a dispatch are faster. */
static const struct oro_iterations_per_dispatch per_dispatch = {.reach = 1,
                                                                .givers = 1,
                                                                .arrays = 3,
                                                                .shapes = {{256.0 * 256, {8, 16, 16, 4}},
                                                                           {1024.0 * 1024, {4, 64, 32, 4}},
                                                                           {512.0 * 512, {6, 32, 32, 4}}}};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_buffer *terrain = oro_eval_input(e, "terrain");
    struct oro_simulation simulation = {
        .step = {.kernel = "flow/drainage.comp",
                 .slots = {{"height", terrain}, {"base", terrain}},
                 .reach = 2},
        .state = {{"area", "area_out"}},
        .shown = "drainage",
        .per_dispatch = &per_dispatch,
    };
    oro_dispatch_tiles(e, &simulation.step);
    return oro_simulation_buffers(e, &simulation) && oro_drainage_start(e, simulation.state[0].now) &&
           oro_simulate(e, &simulation, p->iterations) &&
           oro_eval_give(e, "drainage", simulation.state[0].now);
}

ORO_NODE(
    drainage, .version = 1, .category = "flow",
    .words = "flow accumulation, contributing area, catchment, upstream area, flow map",
    .doc =
        "Computes the area that drains through each cell, by letting water run down step by step: the fast, "
        "approximate form of `flow`, as erosion uses it. Water that comes into a pit stays there: in rough "
        "terrain rivers end where the first pit is.",
    .paper = "Schott 2024, eq. 1 and 2", .spread = ORO_SPREAD_TILES, .scratch_fields = 1, .eval = eval);
