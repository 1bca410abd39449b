#include "nodes/flow/breaching.h"

#include "nodes/lib/range.h"

/* How deep trenches one cell wide were cut. */
static bool trench_figure(struct oro_eval *e, struct oro_buffer *result)
{
    float deepest;
    struct oro_pass pass = {.kernel = "flow/breach_trench.comp",
                            .slots = {{"before", ORO_READ}, {"after", ORO_READ}, {"trench", ORO_WRITE}}};
    struct oro_buffer *buffers[] = {oro_eval_input(e, "terrain"), result,
                                    oro_eval_buffer(e, oro_grid_cells(oro_eval_grid(e)))};
    if (!oro_eval_run(e, &pass, buffers) || !oro_largest(e, buffers[2], &deepest))
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
    if (!oro_largest(e, depth, &most) || !oro_eval_sum(e, depth, cells, &volume) ||
        !oro_eval_sum(e, mask, cells, &count))
        return false;
    oro_eval_figure(e, raised ? "highest_raise" : "deepest_cut", (double)most, "m");
    oro_eval_figure(e, raised ? "raise_volume" : "cut_volume", volume * grid->cell * grid->cell, "m3");
    oro_eval_figure(e, raised ? "raise_cells" : "cut_cells", count, "cells");
    return true;
}

bool oro_breaching_give(struct oro_eval *e, struct oro_buffer *changed, const char *depth, bool raised)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    struct oro_pass blend = {.kernel = "flow/breach_blend.comp",
                             .slots = {{"before", ORO_READ},
                                       {"changed", ORO_UPDATE},
                                       {"depth", ORO_WRITE},
                                       {"changed_mask", ORO_WRITE}}};
    struct oro_buffer *buffers[] = {oro_eval_input(e, "terrain"), changed, oro_eval_buffer(e, cells),
                                    oro_eval_buffer(e, cells)};
    return oro_eval_run(e, &blend, buffers) && figures(e, buffers[2], buffers[3], raised) &&
           (raised || trench_figure(e, changed)) && oro_eval_give(e, "terrain", changed) &&
           oro_eval_give(e, depth, buffers[2]) && oro_eval_give(e, "mask", buffers[3]);
}
