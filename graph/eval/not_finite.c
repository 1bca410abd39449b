/* Which node made a result that has cells that are no numbers. Asked for only where something has failed. */
#include <stdio.h>
#include <string.h>

#include "base/finite.h"
#include "graph/eval/eval_private.h"
#include "graph/eval/evaluator.h"

/* The value of a source, from the cache or computed again, without a word. NULL: it cannot be had. */
static struct oro_value *value_of(struct oro_evaluator *evaluator, const struct oro_plan *plan,
                                  struct oro_plan_source source)
{
    struct oro_evaluator_options told = evaluator->options;
    struct oro_plan one = *plan;
    struct oro_value *value = NULL;
    struct oro_error err;
    one.targets = &source;
    one.target_count = 1;
    evaluator->options.progress = NULL;
    evaluator->options.forecast = NULL;
    evaluator->options.step_done = NULL;
    evaluator->options.live = NULL;
    oro_evaluate(evaluator, &one, &value, &err);
    evaluator->options = told;
    return value;
}

/* Rasters in tiles are not put together for this. */
static bool is_bad(struct oro_evaluator *evaluator, const struct oro_plan *plan,
                   struct oro_plan_source source)
{
    struct oro_value *value = source.step < 0 ? NULL : value_of(evaluator, plan, source);
    bool raster = value && value->channels > 0 && !oro_value_tiles(value);
    const float *cells = raster ? oro_value_host(value, NULL) : NULL;
    size_t count = cells ? oro_value_bytes(value) / sizeof *cells : 0;
    bool bad = cells && oro_first_not_finite(cells, count, false) < count;
    oro_value_release(value);
    return bad;
}

/* The first raster that a step takes which is not finite; step -1: all are. */
static struct oro_plan_source bad_input(struct oro_evaluator *evaluator, const struct oro_plan *plan,
                                        const struct oro_step *step)
{
    for (size_t i = 0; step->type->inputs[i].name; i++)
        if (is_bad(evaluator, plan, step->sources[i]))
            return step->sources[i];
    return (struct oro_plan_source){.step = -1};
}

static void say(const struct oro_plan *plan, struct oro_plan_source source, struct oro_error *err)
{
    struct oro_error first = *err;
    const struct oro_step *maker = &plan->steps[source.step];
    bool takes = false;
    for (size_t i = 0; maker->type->inputs[i].name; i++)
        takes |= maker->sources[i].step >= 0;
    oro_fail(err, first.code, "its '%s' has cells that are no finite numbers%s; %s%s%s%.700s",
             maker->type->outputs[source.output].name, takes ? ", though what it takes is finite" : "",
             *first.node ? "node '" : "", first.node, *first.node ? "' fails by that: " : "", first.text);
    oro_error_place(err, maker->document, maker->line, maker->id);
}

void oro_evaluator_blame(struct oro_evaluator *evaluator, const struct oro_plan *plan,
                         struct oro_plan_source source, struct oro_error *err)
{
    if (evaluator->options.ranks || !is_bad(evaluator, plan, source))
        return;
    for (struct oro_plan_source next = source; next.step >= 0;) {
        source = next;
        next = bad_input(evaluator, plan, &plan->steps[source.step]);
    }
    say(plan, source, err);
}

void oro_evaluator_blame_inputs(struct oro_evaluator *evaluator, const struct oro_plan *plan,
                                struct oro_error *err)
{
    struct oro_plan_source source = {.step = -1};
    bool about_values = err->code == ORO_E_WRITE || err->code == ORO_E_EVALUATE;
    for (size_t i = 0; about_values && !evaluator->options.ranks && i < plan->step_count; i++)
        if (strcmp(plan->steps[i].id, err->node) == 0 && source.step < 0)
            source = bad_input(evaluator, plan, &plan->steps[i]);
    if (source.step >= 0)
        oro_evaluator_blame(evaluator, plan, source, err);
}
