/*
 * Kernels are compiled when they first run, which takes a graphics driver tenths of a second. Where results
 * come from the disk none has run, and the first edit would wait. So what the views show is evaluated once
 * more when all is done, on few cells and past the cache.
 */
#include <string.h>

#include "editor/live/live_private.h"

static bool has(const struct ed_warm *warm, struct oro_hash type)
{
    for (size_t i = 0; i < warm->count; i++)
        if (oro_hash_equal(warm->types[i], type))
            return true;
    return false;
}

static struct oro_hash type_of(const struct oro_step *step)
{
    return oro_hash_of(step->type->id, strlen(step->type->id));
}

/* One that finds no memory runs again. */
void ed_warm_add(struct ed_warm *warm, const struct oro_step *step)
{
    void *types = warm->types;
    struct oro_hash type = type_of(step);
    if (has(warm, type) || !oro_reserve(&types, &warm->capacity, warm->count + 1, sizeof *warm->types))
        return;
    warm->types = types;
    warm->types[warm->count++] = type;
}

bool ed_warm_has(const struct ed_warm *warm, const struct oro_plan *plan)
{
    for (size_t i = 0; i < plan->step_count; i++)
        if (!has(warm, type_of(&plan->steps[i])))
            return false;
    return true;
}

void ed_live_warm(struct ed_live *live, const struct oro_plan *plan)
{
    struct oro_error err; /* it was said when it failed in earnest */
    struct oro_evaluator *evaluator =
        oro_evaluator_create(live->engine.device, NULL, &(struct oro_evaluator_options){0});
    if (evaluator && ed_live_begin(live, evaluator)) {
        oro_evaluate(evaluator, plan, NULL, &err);
        ed_live_end(live);
    }
    for (size_t i = 0; i < plan->step_count && !ed_live_stopped(live); i++)
        ed_warm_add(&live->warm, &plan->steps[i]);
    oro_evaluator_destroy(evaluator);
}
