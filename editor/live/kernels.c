/*
 * Kernels are compiled when they first run, which takes a graphics driver tenths of a second. When results
 * come from the disk no kernel has run, and the first edit would have to wait. So what the views show is
 * evaluated once more when everything is done, on few cells and without the cache.
 */
#include <string.h>

#include "editor/live/live_private.h"

static bool has(const struct ed_kernels *kernels, struct oro_hash type)
{
    for (size_t i = 0; i < kernels->count; i++)
        if (oro_hash_equal(kernels->types[i], type))
            return true;
    return false;
}

static struct oro_hash type_of(const struct oro_step *step)
{
    return oro_hash_of(step->type->id, strlen(step->type->id));
}

/* A type that is not recorded because memory is out runs again. */
void ed_kernels_ran(struct ed_kernels *kernels, const struct oro_step *step)
{
    void *types = kernels->types;
    struct oro_hash type = type_of(step);
    if (has(kernels, type) ||
        !oro_reserve(&types, &kernels->capacity, kernels->count + 1, sizeof *kernels->types))
        return;
    kernels->types = types;
    kernels->types[kernels->count++] = type;
}

bool ed_kernels_have_run(const struct ed_kernels *kernels, const struct oro_plan *plan)
{
    for (size_t i = 0; i < plan->step_count; i++)
        if (!has(kernels, type_of(&plan->steps[i])))
            return false;
    return true;
}

void ed_live_compile(struct ed_live *live, const struct oro_plan *plan)
{
    struct oro_error err; /* ignored: a real failure was reported in the evaluation itself */
    struct oro_evaluator *evaluator =
        oro_evaluator_create(live->engine.device, NULL, &(struct oro_evaluator_options){0});
    if (evaluator && ed_live_begin(live, evaluator)) {
        oro_evaluate(evaluator, plan, NULL, &err);
        ed_live_end(live);
    }
    for (size_t i = 0; i < plan->step_count && !ed_live_stopped(live); i++)
        ed_kernels_ran(&live->kernels, &plan->steps[i]);
    oro_evaluator_destroy(evaluator);
}
