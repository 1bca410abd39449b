/* Thermal erosion: slopes above the angle of repose slide. */
#include <math.h>

#include "graph/type/node.h"
#include "nodes/lib/range.h"
#include "nodes/lib/simulation.h"

struct params {
    int iterations;
    float amount, reference_cell, repose, repose_variation, variation_size, mask;
    int seed;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to stabilise"),
    ORO_IN_INT(struct params, iterations, 200, .role = ORO_ROLE_ITERATIONS, .min = 0, .max = 100000,
               .soft_max = 4000, .doc = "Steps; in each, matter slides one cell down"),
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
        .doc =
            "What slides at most between two cells in one iteration, in metres per square metre of reference "
            "cell (coefficient k)"),
    ORO_IN_FLOAT(struct params, reference_cell, 20, .min = 0.01, .max = 1e5, .soft_min = 1, .soft_max = 200,
                 .unit = ORO_METRE, .group = "Rate",
                 .doc = "Side of the reference cell. It does not change with the resolution, so that an "
                        "iteration moves the "
                        "same at every level"),
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

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    float least = 0;
    struct oro_buffer *critical = oro_eval_buffer(e, cells);
    struct oro_dispatch repose = {.kernel = "erosion/repose.comp",
                                  .slots = {{"critical", critical, ORO_WRITE}}};
    if (!least_step(e, &least) || !oro_eval_dispatch(e, &repose))
        return false;
    struct oro_simulation simulation = {
        .step = {.kernel = "erosion/thermal_erosion.comp",
                 .slots = {{"critical", critical}},
                 .constants = {{"least", least}}},
        .state = {{"height", "height_out"}},
        .shown = "terrain",
    };
    oro_dispatch_strips(e, &simulation.step);
    return oro_simulation_buffers(e, &simulation) &&
           oro_eval_copy(e, oro_eval_input(e, "terrain"), simulation.state[0].now, cells) &&
           oro_simulate(e, &simulation, p->iterations) &&
           oro_eval_give(e, "terrain", simulation.state[0].now);
}

ORO_NODE(thermal_erosion, .version = 1, .category = "erosion",
         .doc =
             "Lets slopes that are too steep slide until they rest. Matter only moves from a cell to a lower "
             "one: none is "
             "lost or made.",
         .paper = "Schott 2024, 4.3, made conservative; Musgrave 1989", .scratch_fields = 2, .eval = eval);
