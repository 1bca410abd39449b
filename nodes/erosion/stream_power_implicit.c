/* Exact drainage, then a step along the tree (hydrology: Braun and Willett 2013; here by pointer doubling).
 */
#include "nodes/erosion/stream_power.h"

static void swap_heights(struct oro_stream_power *sp)
{
    struct oro_buffer *newest = sp->height[1];
    sp->height[1] = sp->height[0];
    sp->height[0] = newest;
}

struct steps {
    struct oro_pass pass;
    struct oro_buffer *a, *b;
    float per_step; /* 1 / years; 0: steps of no common length */
};

static bool plan(struct oro_stream_power *sp, struct steps *steps)
{
    float step = sp->params->step;
    *steps = (struct steps){
        .pass = {.kernel = "erosion/stream_power_implicit.comp",
                 .slots = {{"height", ORO_READ, NULL},
                           {"next", ORO_READ, "uint"},
                           {"area", ORO_READ, NULL},
                           {"a", ORO_WRITE, NULL},
                           {"b", ORO_WRITE, NULL},
                           {"rate", ORO_WRITE, NULL},
                           {sp->correction ? "correction" : NULL, ORO_READ, NULL}},
                 .defines = sp->correction ? "#define CORRECTED 1\n" : "#define CORRECTED 0\n",
                 .constants = {"per_step"}},
        .a = oro_eval_buffer(sp->eval, sp->cells),
        .b = oro_eval_buffer(sp->eval, sp->cells),
        .per_step = step > 0 ? 1 / step : 0,
    };
    return steps->b;
}

/* Routes, finds the equations of the next step, and how far the ground is from balance. */
static bool prepare(struct oro_stream_power *sp, struct steps *steps)
{
    if (!oro_stream_power_route(sp))
        return false;
    struct oro_buffer *buffers[] = {
        sp->height[0], oro_tree_receivers(&sp->tree), sp->area[0], steps->a, steps->b, sp->rate,
        sp->correction};
    return buffers[1] && oro_eval_run_with(sp->eval, &steps->pass, buffers, &steps->per_step) &&
           oro_stream_power_measure(sp, 1);
}

static bool take(struct oro_stream_power *sp, struct steps *steps)
{
    if (!oro_tree_solve(&sp->tree, steps->a, steps->b, sp->height[1]))
        return false;
    swap_heights(sp);
    sp->routed = false;
    sp->done++;
    return oro_constraints_update(sp, 1);
}

/* What nothing raises is compared with how fast it is worn down at the very first, not after a stored state.
 */
static bool start(struct oro_stream_power *sp, struct steps *steps)
{
    return (sp->reference > 0 || prepare(sp, steps)) && oro_stream_power_resume(sp, NULL) >= 0;
}

bool oro_stream_power_implicit(struct oro_stream_power *sp)
{
    int iterations = sp->params->iterations;
    struct steps steps;
    sp->clock = sp->rate; /* not looked at */
    if (!plan(sp, &steps) || !start(sp, &steps))
        return false;
    for (;;) {
        bool settled = true;
        if (!prepare(sp, &steps) || !oro_constraints_settled(sp, &settled))
            return false;
        sp->years = sp->done * (double)sp->params->step;
        bool balanced = sp->change < (double)sp->params->tolerance && settled;
        if (balanced || sp->done >= iterations)
            return oro_stream_power_checkpoint(sp, sp->done, NULL);
        if (!oro_eval_show(sp->eval, "terrain", sp->height[0], sp->done) || !take(sp, &steps) ||
            !oro_eval_progress(sp->eval, sp->done, iterations) ||
            !oro_stream_power_checkpoint(sp, iterations + 1, NULL))
            return false;
    }
}
