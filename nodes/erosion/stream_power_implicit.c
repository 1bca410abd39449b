/* Exact drainage, then a step along the tree (hydrology: Braun and Willett 2013; here by pointer doubling).
 */
#include "nodes/erosion/stream_power_sediment.h"

struct steps {
    struct oro_dispatch equations;
    struct oro_buffer *a, *b;
};

static bool plan(struct oro_stream_power *sp, struct steps *steps)
{
    static const char *const maps[] = {"mask", "uplift", "erodibility", "hillslope", "rain", NULL};
    float step = sp->params->step;
    steps->a = oro_eval_field(sp->eval);
    steps->b = oro_eval_field(sp->eval);
    steps->equations = (struct oro_dispatch){
        .kernel = "erosion/stream_power_implicit.comp",
        .slots = {{"height"},
                  {"next", NULL, ORO_READ, "uint"},
                  {"area"},
                  {"a", steps->a, ORO_WRITE},
                  {"b", steps->b, ORO_WRITE},
                  {"rate", sp->rate, ORO_WRITE},
                  {sp->lifting ? "correction" : NULL, sp->lifting}},
        .defines = sp->lifting ? "#define CORRECTED 1\n" : "#define CORRECTED 0\n",
        .constants = {{"per_step", step > 0 ? 1 / step : 0}}, /* 0: steps of no common length */
        .maps = maps,
    };
    return steps->b;
}

/* Routes, finds the equations of the next step, and how far the ground is from balance. */
static bool prepare(struct oro_stream_power *sp, struct steps *steps)
{
    if (!oro_stream_power_route(sp) || !oro_stream_power_lay(sp))
        return false;
    oro_bind(&steps->equations, "height", sp->height[0]);
    oro_bind(&steps->equations, "next", oro_drainage_tree_receivers(&sp->tree));
    oro_bind(&steps->equations, "area", sp->area[0]);
    return oro_eval_dispatch(sp->eval, &steps->equations) && oro_stream_power_measure(sp, 1);
}

static bool take(struct oro_stream_power *sp, struct steps *steps)
{
    if (!oro_drainage_tree_solve(&sp->tree, steps->a, steps->b, sp->height[1]))
        return false;
    oro_swap_buffers(&sp->height[0], &sp->height[1]);
    sp->routed = false;
    sp->done++;
    return oro_stream_power_constraints_update(sp);
}

/* Where nothing rises, rates are compared with how fast the ground wears down at the very beginning, not
 * after a stored state. */
static bool start(struct oro_stream_power *sp, struct steps *steps)
{
    return (sp->reference > 0 || prepare(sp, steps)) && oro_stream_power_resume(sp, NULL) >= 0 &&
           oro_stream_power_resume_shifting(sp);
}

/* Steps of no common length lead to balance in some tens; where creep keeps rivers from settling, it is no
 * nearer after hundreds. The number alone decides, so that a resumed run ends where another does. */
static bool gives_up(const struct oro_stream_power *sp, bool settled)
{
    enum { ENOUGH = 300 };
    return settled && !(sp->params->step > 0) && sp->params->tolerance > 0 && sp->done >= ENOUGH;
}

bool oro_stream_power_implicit(struct oro_stream_power *sp)
{
    int iterations = sp->params->iterations;
    struct steps steps;
    if (!plan(sp, &steps) || !start(sp, &steps))
        return false;
    for (;;) {
        bool settled = true, shifts = false;
        if (!prepare(sp, &steps) || !oro_stream_power_constraints_settled(sp, &settled) ||
            (settled && !oro_stream_power_shifts(sp, &shifts))) /* not while constraints move the ground */
            return false;
        sp->years = sp->done * (double)sp->params->step;
        oro_eval_converging(sp->eval, sp->done, sp->change, (double)sp->params->tolerance);
        bool balanced = sp->change < (double)sp->params->tolerance && settled;
        if (!balanced && (sp->done >= iterations || gives_up(sp, settled)))
            oro_stream_power_note_unbalanced(sp);
        if (balanced || shifts || sp->done >= iterations || gives_up(sp, settled))
            return oro_stream_power_checkpoint(sp, sp->done, NULL);
        if (!oro_eval_show(sp->eval, "terrain", sp->height[0], sp->done) || !take(sp, &steps) ||
            !oro_eval_progress(sp->eval, sp->done, iterations) ||
            !oro_stream_power_checkpoint(sp, iterations + 1, NULL))
            return false;
    }
}
