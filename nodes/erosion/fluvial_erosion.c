/* Stream power erosion with bounds. */
#include "graph/type/node.h"
#include "nodes/lib/duration.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/range.h"
#include "nodes/lib/simulation.h"
#include "nodes/lib/steady_drainage.h"

struct params {
    ORO_DURATION_PARAMS;
    float erodibility, hardness, depth, mask;
    ORO_FLOW_PARAMS;
    ORO_STREAM_POWER_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to carve"),
    ORO_IN_DRAINAGE,
    ORO_IN_DURATION(struct params, 600000, ORO_YEAR, 4e6,
                    "Steps of erosion; each moves the water one cell on, and carves"),
    ORO_IN_MAP(struct params, erodibility, 0.0005, .min = 0, .max = 1e6, .soft_max = 0.005,
               .doc =
                   "Depth that a thousand years carve, or one of the given `iterations`, where slope and "
                   "drainage area are 1, in reference cells (coefficient k). `rock` gives a map that suits "
                   "the slopes of the place"),
    ORO_IN_MAP(
        struct params, hardness, 0, .min = 0, .max = 1,
        .doc =
            "Resistance of the rock: 0 erodes freely, 1 not at all. A noise breaks the likeness of patterns "
            "across scales"),
    ORO_IN_MAP(struct params, depth, 0, .min = 0, .max = 10000, .soft_max = 200, .unit = ORO_METRE,
               .doc = "No place is carved deeper than this. 0: no limit"),
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

static bool give(struct oro_eval *e, const struct oro_state *height, const struct oro_state *area)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    struct oro_buffer *eroded = oro_eval_field(e);
    double depth = 0, cell = oro_eval_grid(e)->cell;
    if (!oro_difference(e, oro_eval_input(e, "terrain"), height->now, eroded) ||
        !oro_sum(e, eroded, cells, &depth))
        return false;
    oro_eval_figure(e, "eroded", depth * cell * cell, "m3");
    return oro_eval_give(e, "terrain", height->now) && oro_eval_give(e, "drainage", area->now) &&
           oro_eval_give(e, "eroded", eroded);
}

enum { MOST_SAMPLES = 256 }; /* of cells that are looked at, along a side */

static int sample_stride(const struct oro_grid *grid)
{
    return (oro_grid_longer(grid) - 1) / MOST_SAMPLES + 1;
}

/* Where all drainage is above the bound, it plays no part: ground of equal slope is worn down evenly. Looks
 * at some cells only. */
static bool warn_of_limit(struct oro_eval *e, const struct params *p, const struct oro_state *area,
                          double sheet)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    int stride = sample_stride(grid);
    struct oro_grid samples = {.width = (grid->width - 1) / stride + 1,
                               .height = (grid->height - 1) / stride + 1,
                               .cell = grid->cell * stride};
    size_t count = oro_grid_cells(&samples);
    struct oro_buffer *marks = stride > 1 ? oro_eval_raster(e, ORO_FIELD, &samples) : area->next;
    double above = 0;
    struct oro_dispatch find = {.kernel = "erosion/area_above_limit.comp",
                                .slots = {{"area", area->now}, {"above", marks, ORO_WRITE}},
                                .constants = {{"stride", (float)stride}, {"sheet", (float)sheet}},
                                .maps = (const char *const[]){NULL}};
    oro_dispatch_source(&find, &samples, grid, NULL, ORO_REACH_CELL);
    if (!oro_eval_dispatch(e, &find) || !oro_sum_over(e, marks, &samples, &above))
        return false;
    if (above > 0.5 * (double)count)
        oro_note(
            oro_eval_log(e), ORO_WARNING,
            "more than 'area_limit' (%g %s) drains through %.0f %% of the ground, where erosion does not "
            "depend on drainage and makes no valleys: raise it",
            (double)p->area_limit, p->area_unit ? "m2" : "cells", 100 * above / (double)count);
    return true;
}

/* On which grids several iterations a dispatch are faster. */
static const struct oro_iterations_per_dispatch per_dispatch = {
    .reach = 2,
    .givers = 1,
    .arrays = 3,
    .shapes = {{128.0 * 128, {4, 16, 16, 1}}, {256.0 * 256, {4, 24, 24, 2}}, {512.0 * 512, {4, 64, 32, 4}}}};

/* What drains through a reference cell where a channel begins, on ground with a slope of 1, in reference
 * cells: fitted to worlds with gentle and steep slopes, so that resolutions agree (docs/time.md). */
static const double channel_head = 50;

/* Adds what the kernel has to know of cells of x reference cells. Where iterations are counted, cells are the
 * unit, all of them alike: no channel has a share of one. */
static void add_widths(const struct oro_pace *pace, double x, double reference_cell,
                       struct oro_dispatch *step)
{
    double reference = reference_cell * reference_cell;
    oro_add_constant(step, "strength", pace->step);
    oro_add_constant(step, "own", 0.5 * x * x * reference);
    oro_add_constant(step, "sheet", 1 / x);
    oro_add_constant(step, "head", channel_head * reference);
    oro_add_constant(step, "channel", pace->counted ? 0 : 1 / x);
    oro_add_constant(step, "beside", x - 1);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_buffer *terrain = oro_eval_input(e, "terrain");
    struct oro_pace pace;
    double x = oro_eval_grid(e)->cell / (double)p->reference_cell;
    if (!oro_pace_plan(e, p->iterations, (double)p->duration, x, ORO_REFERENCE_YEARS, &pace))
        return false;
    bool limited = p->depth > 0 || oro_eval_linked(e, "depth");
    struct oro_simulation simulation = {
        .step = {.kernel = "erosion/fluvial_erosion.comp",
                 .slots = {{"base", terrain}},
                 .reach = 2,
                 .defines = limited ? "#define LIMITED 1\n" : "#define LIMITED 0\n"},
        .state = {{"height", "height_out"}, {"area", "area_out"}},
        .shown = "terrain",
        .per_dispatch = &per_dispatch,
    };
    const struct oro_state *height = &simulation.state[0], *area = &simulation.state[1];
    add_widths(&pace, x, (double)p->reference_cell, &simulation.step);
    oro_dispatch_tiles(e, &simulation.step);
    return oro_simulation_buffers(e, &simulation) &&
           oro_eval_copy(e, terrain, height->now, oro_grid_cells(oro_eval_grid(e))) &&
           oro_drainage_begin(e, &pace, (double)p->flow_exponent, p->borders == 1, area->now) &&
           oro_simulate(e, &simulation, pace.iterations) &&
           (pace.iterations == 0 || !oro_eval_last_of_node(e) ||
            warn_of_limit(e, p, area, pace.counted ? 1 : 1 / x)) &&
           give(e, height, area);
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    (void)data;
    if (sample_stride(grid) > 1)
        oro_shape_scratch(s, (double)MOST_SAMPLES * MOST_SAMPLES * sizeof(float));
    return true;
}

ORO_NODE(fluvial_erosion, .version = 1, .category = "erosion",
         .words = "erosion, erode, river erosion, carve valleys, stream erosion, gullies, water erosion",
         .doc =
             "Carves valleys where water gathers: stream power erosion, bounded so that it neither cuts "
             "canyons nor stops "
             "below the peaks. It only removes material, and never below the cell that the water flows to.",
         .paper = "Schott 2024, eq. 5 (hardness as in the formula: 1 resists)", .spread = ORO_SPREAD_TILES,
         .scratch_fields = 2, .turns = 2, .shape = shape, .eval = eval);
