/* Exact drainage: area, flood level, watersheds, lakes. */
#include <math.h>

#include "nodes/flow/drainage_tree.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/range.h"

struct params {
    int method, iterations;
    float rain, flow_exponent, tolerance;
    ORO_OUTLET_PARAMS;
};

enum { SINGLE, MULTIPLE };
static const char *const methods[] = {"single", "multiple", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods,
        .doc = "single: all water of a cell takes the steepest way. multiple: it spreads over all lower "
               "neighbours, as `flow_exponent` says; depressions are breached in a copy for it"),
    ORO_IN_MAP(struct params, rain, 1, .min = 0, .max = 100, .soft_max = 4,
               .doc = "Rain, relative to the rest: 1 everywhere, or a map"),
    ORO_IN_FLOAT(
        struct params, flow_exponent, 1.3, .when = "method=multiple", .min = 1, .max = 64, .soft_max = 8,
        .group = "Multiple flow",
        .doc = "How strongly water prefers the steepest way down: 1 spreads it, 64 all but follows one way"),
    ORO_IN_FLOAT(struct params, tolerance, 0.0001, .when = "method=multiple", .min = 1e-6, .max = 0.1,
                 .group = "Multiple flow",
                 .doc = "Water is moved on until no area changes by more than this share of it"),
    ORO_IN_INT(struct params, iterations, 100000, .when = "method=multiple", .min = 1, .max = 10000000,
               .group = "Multiple flow",
               .doc = "At most so often; it takes about as many as the longest river has cells"),
    ORO_IN_OUTLETS(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("drainage", .like = "terrain", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell, times rain"),
    ORO_OUT_FIELD("flood", .like = "terrain", .unit = ORO_METRE,
                  .doc = "Level of the water when every depression is full: the terrain where there is none"),
    ORO_OUT_FIELD("watersheds", .like = "terrain", .unit = ORO_ID,
                  .doc = "Number of the watershed (drainage basin): 1 and up, one for each outlet"),
    ORO_OUT_FIELD("lakes", .like = "terrain", .unit = ORO_ID,
                  .doc = "Number of the lake that a cell lies under: 1 and up; 0 is dry"),
    ORO_OUT_FIELD("spills", .like = "terrain", .unit = ORO_ID,
                  .doc = "Where a lake spills over, its number; 0 elsewhere"),
    ORO_OUT_FIELD("receivers", .like = "terrain",
                  .doc =
                      "Where the cell's water goes: 0 north-west, 1 north, 2 north-east, 3 west, 4 east, 5 "
                      "south-west, 6 south, 7 south-east; 8 is an outlet"),
    {0},
};

/* Fields tell whole numbers up to this one apart. */
enum { FLOAT_NUMBERS = 1 << 24 };

/* ---- Multiple flow (Schott 2024, eq. 1 and 2, until nothing changes) ---- */

struct multiple {
    struct oro_dispatch step, change;
    struct oro_buffer *area[2], *changes;
};

/* Finds the shares that flow to each neighbour; `area` is what to start from. */
static bool plan_multiple(struct oro_drainage_tree *tree, struct oro_buffer *area, struct multiple *m)
{
    struct oro_eval *e = tree->eval;
    struct oro_buffer *ground = oro_eval_field(e), *steepest = oro_eval_field(e);
    struct oro_buffer *share = oro_eval_field(e), *changes = oro_eval_field(e);
    struct oro_dispatch shares = {
        .kernel = "flow/flow_shares.comp",
        .slots = {{"z", ground}, {"steepest", steepest, ORO_WRITE}, {"share", share, ORO_WRITE}},
        .reach = 1};
    *m = (struct multiple){
        .step = {.kernel = "flow/flow_multiple.comp",
                 .slots = {{"z", ground},
                           {"steepest", steepest},
                           {"share", share},
                           {"area"},
                           {"area_out", NULL, ORO_WRITE}},
                 .reach = 1},
        .change = {.kernel = "flow/flow_change.comp",
                   .slots = {{"before"}, {"after"}, {"change", changes, ORO_WRITE}},
                   .reach = ORO_REACH_CELL},
        .area = {area, oro_eval_field(e)},
        .changes = changes,
    };
    return oro_drainage_tree_collect(tree, false, NULL, ground) && oro_eval_dispatch(e, &shares);
}

/* One step; area[0] is the newest again. */
static bool step(struct oro_eval *e, struct multiple *m)
{
    struct oro_buffer *older = m->area[0];
    oro_bind(&m->step, "area", m->area[0]);
    oro_bind(&m->step, "area_out", m->area[1]);
    if (!oro_eval_dispatch(e, &m->step))
        return false;
    m->area[0] = m->area[1];
    m->area[1] = older;
    return true;
}

/* The largest change of the last step, relative to the area. */
static bool measure_change(struct oro_eval *e, struct multiple *m, float *change)
{
    oro_bind(&m->change, "before", m->area[1]);
    oro_bind(&m->change, "after", m->area[0]);
    return oro_eval_dispatch(e, &m->change) && oro_largest(e, m->changes, change);
}

static bool settle(struct oro_eval *e, struct multiple *m, const struct params *p)
{
    enum { OFTEN = 64 };
    float change = 1;
    int rounds = 0;
    oro_eval_converging(e, 0, INFINITY, (double)p->tolerance);
    while (rounds < p->iterations && change > p->tolerance) {
        if (!step(e, m) || !oro_eval_progress(e, ++rounds, p->iterations))
            return false;
        if (rounds % OFTEN != 0 && rounds != p->iterations)
            continue;
        if (!measure_change(e, m, &change))
            return false;
        oro_eval_converging(e, rounds, (double)change, (double)p->tolerance);
    }
    oro_eval_figure(e, "rounds", rounds, "");
    oro_eval_figure(e, "residual", (double)change, "");
    if (change > p->tolerance)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "flow: areas still change by %g after %d iteration%s; raise 'iterations'", (double)change,
                 rounds, rounds == 1 ? "" : "s");
    return true;
}

/* `area` holds that of single flow to start from; it may become another buffer. */
static bool spread(struct oro_drainage_tree *tree, const struct params *p, struct oro_buffer **area)
{
    struct multiple m;
    if (!plan_multiple(tree, *area, &m) || !settle(tree->eval, &m, p))
        return false;
    *area = m.area[0];
    return true;
}

static bool give(struct oro_eval *e, struct oro_buffer *area, struct oro_buffer *flood,
                 const struct oro_drainage_tree_numbers *numbers)
{
    oro_eval_figure(e, "watersheds", numbers->watershed_count, "");
    oro_eval_figure(e, "lakes", numbers->lake_count, "");
    if (numbers->watershed_count > FLOAT_NUMBERS || numbers->lake_count > FLOAT_NUMBERS)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "flow: there are %u watersheds and %u lakes, and numbers above %d are rounded: neighbours "
                 "may share one; 'breach' before it leaves no lakes",
                 numbers->watershed_count, numbers->lake_count, FLOAT_NUMBERS);
    return oro_eval_give(e, "drainage", area) && oro_eval_give(e, "flood", flood) &&
           oro_eval_give(e, "watersheds", numbers->watersheds) && oro_eval_give(e, "lakes", numbers->lakes) &&
           oro_eval_give(e, "spills", numbers->spills) && oro_eval_give(e, "receivers", numbers->receivers);
}

static bool run(struct oro_drainage_tree *tree, const struct params *p)
{
    struct oro_eval *e = tree->eval;
    struct oro_buffer *area = oro_eval_field(e), *flood = oro_eval_field(e);
    struct oro_drainage_tree_numbers numbers = {.watersheds = oro_eval_field(e),
                                                .lakes = oro_eval_field(e),
                                                .spills = oro_eval_field(e),
                                                .receivers = oro_eval_field(e)};
    tree->rain = p->rain;
    bool uniform = !oro_eval_linked(e, "rain") && p->rain == 1;
    return oro_drainage_tree_route(tree, oro_eval_input(e, "terrain")) &&
           oro_drainage_tree_collect(tree, !uniform, area, NULL) &&
           oro_drainage_tree_fill(tree, false, flood) && oro_drainage_tree_number(tree, flood, &numbers) &&
           (p->method != MULTIPLE || spread(tree, p, &area)) && give(e, area, flood, &numbers);
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_outlets_shape(s, p->sea, p->borders, grid);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_drainage_tree tree;
    bool ok = oro_drainage_tree_begin(e, p->sea, p->borders, &tree) && run(&tree, p);
    oro_drainage_tree_end(&tree);
    return ok;
}

ORO_NODE(flow, .version = 1, .category = "flow",
         .words = "flow map, flow accumulation, watershed, catchment, drainage basins, hydrology, runoff, "
                  "water flow, D8, rivers",
         .spread = ORO_SPREAD_DRAINAGE,
         .doc = "Finds out where water goes, exactly: through every depression, over its lowest pass, to the "
                "border or the "
                "sea. Over level ground it winds to the nearest outlet, away from higher ground. Gives "
                "rivers (drainage area), lakes and watersheds. `drainage` is the faster, approximate "
                "form.",
         .paper = "Garbrecht and Martz 1997; Barnes 2014; Cordonnier 2019; Schott 2024, eq. 1 and 2",
         .scratch_fields = ORO_DRAINAGE_TREE_FIELDS + 5, .shape = shape, .eval = eval);
