#include "cli/engine/fit.h"

struct oro_plan_spread cli_fit_spread(const struct cli_fit *fit)
{
    struct oro_plan_spread spread = oro_plan_spread_for(fit->memory_bytes);
    if (fit->whole)
        spread.whole = (size_t)fit->whole * (size_t)fit->whole;
    if (fit->tile)
        spread.tile = fit->tile;
    spread.depth = oro_plan_spread_depth(spread.tile, false);
    return spread;
}

/* Whether smaller tiles would do better: these do not fit, or are so few that little of a raster can stay on
 * the device while the rest comes and goes. */
static bool is_too_large(const struct oro_plan *plan, int tile, const struct oro_error *err)
{
    enum { ALONG_A_SIDE = 4 };
    int side = 0;
    for (size_t i = 0; plan && i < plan->step_count; i++) {
        int longer = plan->steps[i].spread ? oro_grid_longer(&plan->steps[i].grid) : 0;
        side = longer > side ? longer : side;
    }
    return plan ? side && side < ALONG_A_SIDE * tile : err->code == ORO_E_LIMIT;
}

/* With deeper halos, if tiles have to leave the device and windows have room for that. Takes `plan` over. */
static struct oro_plan *deepened(const struct cli_graph *graph, const struct cli_fit *fit,
                                 struct oro_plan_options *options, struct oro_device *device,
                                 struct oro_plan *plan)
{
    bool leaves = fit->ranks > 1 ? !plan->ranks || plan->ranks > fit->ranks : plan->out_of_core;
    struct oro_plan_options deep = *options;
    struct oro_error problem;
    deep.spread.depth = oro_plan_spread_depth(deep.spread.tile, true);
    if (!leaves || deep.spread.depth == options->spread.depth)
        return plan;
    struct oro_plan *deeper = cli_graph_plan(graph, &deep, device, &problem);
    if (!deeper)
        return plan;
    oro_plan_destroy(plan);
    *options = deep;
    return deeper;
}

struct oro_plan *cli_fit_plan(const struct cli_graph *graph, const struct cli_fit *fit,
                              struct oro_plan_options *options, struct oro_device *device,
                              struct oro_error *err)
{
    struct oro_plan *plan = NULL;
    options->memory_bytes = fit->memory_bytes;
    options->spread = (struct oro_plan_spread){0};
    if (!fit->always) {
        plan = cli_graph_plan(graph, options, device, err);
        if (plan || err->code != ORO_E_LIMIT || fit->never)
            return plan;
    }
    options->spread = cli_fit_spread(fit);
    plan = cli_graph_plan(graph, options, device, err);
    while (!fit->tile && options->spread.tile > ORO_PLAN_LEAST_TILE &&
           is_too_large(plan, options->spread.tile, err)) {
        oro_plan_destroy(plan);
        options->spread.tile /= 2;
        options->spread.depth = oro_plan_spread_depth(options->spread.tile, false);
        plan = cli_graph_plan(graph, options, device, err);
    }
    return plan && plan->spread ? deepened(graph, fit, options, device, plan) : plan;
}
