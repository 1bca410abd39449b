/* Sediment deposition with a budget. */
#include <math.h>

#include "graph/type/node.h"
#include "nodes/lib/duration.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/range.h"
#include "nodes/lib/simulation.h"
#include "nodes/lib/steady_drainage.h"

struct params {
    ORO_DURATION_PARAMS;
    int method;
    float sediment, mask;
    ORO_DEPOSITION_PARAMS;
    ORO_FLOW_PARAMS;
    ORO_STREAM_POWER_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation on which sediment settles"),
    ORO_IN_DRAINAGE,
    ORO_IN_MAP(struct params, sediment, 1, .min = 0, .max = 10000, .soft_max = 50, .unit = ORO_METRE,
               .doc = "Loose material that streams may take up, as a depth: link what fluvial erosion "
                      "carved. No more than "
                      "this is ever deposited"),
    ORO_IN_CHOICE(struct params, method, 0, oro_deposition_words, .doc = ORO_DEPOSITION_METHODS),
    ORO_IN_DURATION(
        struct params, 1000000, ORO_YEAR, 4e6,
        "Steps; in each, water and sediment move one cell on. Twice as many as the world has cells "
        "along a side let almost all sediment arrive"),
    ORO_IN_DEPOSITION(struct params, .group = NULL),
    ORO_IN_STREAM_POWER(struct params),
    ORO_IN_FLOW(struct params),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation with the sediment on it"),
    ORO_OUT_FIELD("drainage", .like = "terrain", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell"),
    ORO_OUT_FIELD("deposited", .like = "terrain", .unit = ORO_METRE, .doc = "Depth of sediment that settled"),
    {0},
};

enum { PLAINS };                         /* words of `method` */
enum { HEIGHT, AREA, SEDIMENT, SOURCE }; /* the state */

/* What was there to take = what still is there + carried + settled + gone over the border. */
static bool balance(struct oro_eval *e, struct oro_simulation *s, struct oro_buffer *given,
                    struct oro_buffer *deposited)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    double available, left, carried, settled, cell = oro_eval_grid(e)->cell, area = cell * cell;
    if (!oro_sum(e, given, cells, &available) || !oro_sum(e, s->state[SOURCE].now, cells, &left) ||
        !oro_sum(e, s->state[SEDIMENT].now, cells, &carried) || !oro_sum(e, deposited, cells, &settled))
        return false;
    oro_eval_figure(e, "taken_up", (available - left) * area, "m3");
    oro_eval_figure(e, "deposited", settled * area, "m3");
    oro_eval_figure(e, "still_carried", carried * area, "m3");
    oro_eval_figure(e, "left_over_border", (available - left - carried - settled) * area, "m3");
    return true;
}

static bool give(struct oro_eval *e, struct oro_simulation *s, struct oro_buffer *given)
{
    struct oro_buffer *height = s->state[HEIGHT].now;
    struct oro_buffer *deposited = oro_eval_field(e);
    return oro_difference(e, height, oro_eval_input(e, "terrain"), deposited) &&
           balance(e, s, given, deposited) && oro_eval_give(e, "terrain", height) &&
           oro_eval_give(e, "drainage", s->state[AREA].now) && oro_eval_give(e, "deposited", deposited);
}

/* No sediment is on its way at first; all of `sediment` is there to be taken. */
static bool start(struct oro_eval *e, const struct params *p, const struct oro_pace *pace,
                  struct oro_simulation *s, struct oro_buffer *given)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    if (!oro_simulation_buffers(e, s))
        return false;
    struct oro_dispatch take_up = {
        .kernel = "erosion/deposition_start.comp",
        .slots = {{"sediment_out", s->state[SEDIMENT].now, ORO_WRITE}, {"source_out", given, ORO_WRITE}},
        .reach = ORO_REACH_CELL};
    return oro_eval_dispatch(e, &take_up) && oro_eval_copy(e, given, s->state[SOURCE].now, cells) &&
           oro_eval_copy(e, oro_eval_input(e, "terrain"), s->state[HEIGHT].now, cells) &&
           oro_drainage_begin(e, pace, (double)p->flow_exponent, p->borders == 1, s->state[AREA].now);
}

/* Share that settles in an iteration, which is as long as sediment takes to cross a cell. */
static float settling(const struct params *p, const struct oro_pace *pace)
{
    return pace->counted ? p->settling : (float)-expm1(pace->step * log1p(-(double)p->settling));
}

/* On which grids several iterations a dispatch are faster. */
static const struct oro_iterations_per_dispatch per_dispatch = {
    .reach = 2,
    .givers = 1,
    .arrays = 7,
    .shapes = {{128.0 * 128, {3, 16, 16, 1}}, {256.0 * 256, {3, 24, 24, 2}}}};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_pace pace;
    double x = oro_eval_grid(e)->cell / (double)p->reference_cell;
    if (!oro_pace_plan(e, p->iterations, (double)p->duration, x, ORO_REFERENCE_YEARS, &pace))
        return false;
    double carving = oro_pace_carving(&pace, x, (double)p->area_exponent);
    struct oro_simulation simulation = {
        .step = {.kernel = "erosion/deposition.comp",
                 .slots = {{"base", oro_eval_input(e, "terrain")}},
                 .reach = 2,
                 .defines = p->method == PLAINS ? "#define PLAINS 1\n" : "#define PLAINS 0\n",
                 .constants = {{"creation", (float)(pace.counted ? 1 : carving / x)},
                               {"hollows", (float)carving},
                               {"settling", settling(p, &pace)},
                               {"spread", (float)(pace.counted ? x * x : x)}}},
        .state = {[HEIGHT] = {"height", "height_out"},
                  [AREA] = {"area", "area_out"},
                  [SEDIMENT] = {"sediment_in", "sediment_out"},
                  [SOURCE] = {"source_left", "source_left_out"}},
        .shown = "terrain",
        .per_dispatch = &per_dispatch,
    };
    oro_dispatch_tiles(e, &simulation.step);
    struct oro_buffer *given = oro_eval_field(e);
    return start(e, p, &pace, &simulation, given) && oro_simulate(e, &simulation, pace.iterations) &&
           give(e, &simulation, given);
}

ORO_NODE(
    deposition, .version = 1, .category = "erosion",
    .words = "sediment, alluvial fans, deposit, debris, silt, gravel, alluvium, sedimentation, fans, outwash",
    .doc =
        "Lets streams take up loose material, carry it, and drop it where they have more than they can "
        "carry: fans and cones form in front of valleys, plains beyond them, floors of valleys and closed "
        "basins get flat. No more settles than was there to be taken. What leaves over the border, and what "
        "is still on its way at the end, is reported. No cell rises above one that drains into it, so water "
        "keeps its ways.",
    .paper = "Schott 2024, 4.4, with a budget", .spread = ORO_SPREAD_TILES, .scratch_fields = 8, .turns = 4,
    .eval = eval);
