#include "nodes/flow/breaching.h"

#include <math.h>

#include "nodes/lib/angle.h"
#include "nodes/lib/range.h"

float oro_breaching_fall(struct oro_eval *e, float least_gradient)
{
    return (float)(tan(oro_radians((double)least_gradient)) * oro_eval_grid(e)->cell);
}

/* Reports how deep trenches one cell wide were cut. `trench` is overwritten. */
static bool trench_figure(struct oro_eval *e, struct oro_buffer *result, struct oro_buffer *trench)
{
    float deepest;
    struct oro_dispatch dispatch = {
        .kernel = "flow/breach_trench.comp",
        .slots = {{"before", oro_eval_input(e, "terrain")}, {"after", result}, {"trench", trench, ORO_WRITE}},
        .reach = 1};
    if (!oro_eval_dispatch(e, &dispatch) || !oro_largest(e, trench, &deepest))
        return false;
    oro_eval_figure(e, "deepest_trench", (double)deepest, "m");
    return true;
}

static bool figures(struct oro_eval *e, struct oro_buffer *depth, struct oro_buffer *mask, bool raised)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    size_t cells = oro_grid_cells(grid);
    double volume, count;
    float most;
    if (!oro_largest(e, depth, &most) || !oro_sum(e, depth, cells, &volume) ||
        !oro_sum(e, mask, cells, &count))
        return false;
    oro_eval_figure(e, raised ? "highest_raise" : "deepest_cut", (double)most, "m");
    oro_eval_figure(e, raised ? "raise_volume" : "cut_volume", volume * grid->cell * grid->cell, "m3");
    oro_eval_figure(e, raised ? "raise_cells" : "cut_cells", count, "cells");
    return true;
}

/* Some such cells near the outlets are nothing special. */
static void say_gentle(struct oro_drainage_tree *tree)
{
    const double many = 0.03; /* of all cells: a plain */
    struct oro_eval *e = tree->eval;
    oro_eval_figure(e, "gentle_cells", tree->gentle, "cells");
    if (tree->gentle > many * (double)oro_grid_cells(oro_eval_grid(e)))
        oro_note(
            oro_eval_log(e), ORO_NOTICE,
            "%s: %.0f cells of carved channels fall by less than 'least_gradient': the ground is not high "
            "enough above their outlets",
            oro_eval_type(e)->id, tree->gentle);
}

/* What was done to the input terrain. */
struct change {
    struct oro_buffer *terrain, *depth, *mask;
};

static bool blend(struct oro_eval *e, struct oro_buffer *changed, bool raised, struct change *change)
{
    *change = (struct change){changed, oro_eval_field(e), oro_eval_field(e)};
    struct oro_dispatch dispatch = {.kernel = "flow/breach_blend.comp",
                                    .slots = {{"before", oro_eval_input(e, "terrain")},
                                              {"changed", changed, ORO_UPDATE},
                                              {"depth", change->depth, ORO_WRITE},
                                              {"changed_mask", change->mask, ORO_WRITE}},
                                    .reach = ORO_REACH_CELL};
    return oro_eval_dispatch(e, &dispatch) && figures(e, change->depth, change->mask, raised);
}

static bool give(struct oro_eval *e, const struct change *change, const char *depth_name)
{
    return oro_eval_give(e, "terrain", change->terrain) && oro_eval_give(e, depth_name, change->depth) &&
           oro_eval_give(e, "mask", change->mask);
}

bool oro_breaching_give_carved(struct oro_drainage_tree *tree, struct oro_buffer *changed)
{
    struct oro_eval *e = tree->eval;
    struct oro_buffer *drainage = oro_eval_field(e);
    struct change change;
    say_gentle(tree);
    return blend(e, changed, false, &change) && trench_figure(e, changed, drainage) &&
           oro_drainage_tree_route(tree, changed) && oro_drainage_tree_collect(tree, false, drainage, NULL) &&
           oro_eval_give(e, "drainage", drainage) && give(e, &change, "carved");
}

bool oro_breaching_give_filled(struct oro_eval *e, struct oro_buffer *changed)
{
    struct change change;
    return blend(e, changed, true, &change) && give(e, &change, "filled");
}
