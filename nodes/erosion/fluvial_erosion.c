/* Stream power erosion with bounds. */
#include "graph/type/node.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/simulation.h"

struct params {
    int iterations;
    float erodibility, hardness, mask;
    ORO_FLOW_PARAMS;
    ORO_STREAM_POWER_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to carve"),
    ORO_IN_DRAINAGE,
    ORO_IN_INT(struct params, iterations, 600, .role = ORO_ROLE_ITERATIONS, .min = 0, .max = 100000,
               .soft_max = 4000, .doc = "Steps of erosion; each moves the water one cell on, and carves"),
    ORO_IN_FLOAT(struct params, erodibility, 0.0005, .min = 0, .max = 1, .soft_max = 0.005,
                 .doc = "Depth that one iteration carves where slope and drainage area are 1, in reference "
                        "cells (coefficient k)"),
    ORO_IN_MAP(
        struct params, hardness, 0, .min = 0, .max = 1,
        .doc =
            "Resistance of the rock: 0 erodes freely, 1 not at all. A noise breaks the likeness of patterns "
            "across scales"),
    ORO_IN_STREAM_POWER(struct params),
    ORO_IN_FLOW(struct params),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Carved elevation"),
    ORO_OUT_FIELD("drainage", .like = "terrain", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell"),
    ORO_OUT_FIELD("eroded", .like = "terrain", .unit = ORO_METRE,
                  .doc = "Depth that was carved: material for deposition"),
    {0},
};

static bool give(struct oro_eval *e, struct oro_simulation *simulation)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    struct oro_buffer *terrain = oro_eval_input(e, "terrain"), *eroded = oro_eval_buffer(e, cells);
    struct oro_pass difference = {
        .kernel = "lib/difference.comp",
        .slots = {{"before", ORO_READ}, {"after", ORO_READ}, {"removed", ORO_WRITE}}};
    struct oro_buffer *buffers[] = {terrain, simulation->state[0][0], eroded};
    double depth = 0, cell = oro_eval_grid(e)->cell;
    if (!oro_eval_run(e, &difference, buffers) || !oro_eval_sum(e, eroded, cells, &depth))
        return false;
    oro_eval_figure(e, "eroded", depth * cell * cell, "m3");
    return oro_eval_give(e, "terrain", simulation->state[0][0]) &&
           oro_eval_give(e, "drainage", simulation->state[0][1]) && oro_eval_give(e, "eroded", eroded);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_simulation simulation = {
        .step = {.kernel = "erosion/fluvial_erosion.comp",
                 .slots = {{"height", ORO_READ},
                           {"area", ORO_READ},
                           {"height_out", ORO_WRITE},
                           {"area_out", ORO_WRITE},
                           {"base", ORO_READ}}},
        .state_count = 2,
        .shown = "terrain",
        .fixed = {oro_eval_input(e, "terrain")},
        .fixed_count = 1,
    };
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    oro_pass_tiles(e, &simulation.step);
    return oro_simulation_buffers(e, &simulation) &&
           oro_eval_copy(e, oro_eval_input(e, "terrain"), simulation.state[0][0], cells) &&
           oro_drainage_start(e, simulation.state[0][1]) && oro_simulate(e, &simulation, p->iterations) &&
           give(e, &simulation);
}

static const char *const kernels[] = {"erosion/fluvial_erosion.comp", "lib/drainage_start.comp",
                                      "lib/difference.comp", NULL};

const struct oro_node_type oro_node_fluvial_erosion = {
    .id = "fluvial_erosion",
    .version = 1,
    .category = "erosion",
    .doc = "Carves valleys where water gathers: stream power erosion, bounded so that it neither cuts "
           "canyons nor stops "
           "below the peaks. It only removes material, and never below the cell that the water flows to.",
    .paper = "Schott 2024, eq. 5 (hardness as in the formula: 1 resists)",
    .inputs = inputs,
    .outputs = outputs,
    .params_size = sizeof(struct params),
    .kernels = kernels,
    .scratch_fields = 2,
    .eval = eval,
};
