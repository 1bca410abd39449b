/* Evaluates nodes whose script has a function `cell` or `field`: brings what they read to the host, and what
 * they compute back. */
#include "graph/type/registry.h"
#include "graph/type/value.h"
#include "lua/field/guest.h"
#include "lua/field/rasters.h"

static bool progress(void *user, int done, int total)
{
    return oro_eval_progress(user, done, total);
}

/* Makes an array for each output. False: the evaluation has failed. */
static bool make_outputs(struct oro_eval *eval, struct oro_script_work *work)
{
    const struct oro_output *output = oro_eval_type(eval)->outputs;
    for (int i = 0; i < ORO_SCRIPT_OUTPUTS_MAX && output[i].name; i++) {
        size_t channels = (size_t)oro_type_channels(output[i].type);
        work->outputs[i] = oro_alloc(oro_grid_cells(&work->grid), channels * sizeof(float));
        if (!work->outputs[i])
            return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for output '%s'", output[i].name);
    }
    return true;
}

static bool give_outputs(struct oro_eval *eval, struct oro_script_work *work)
{
    bool ok = true;
    for (int i = 0; i < ORO_SCRIPT_OUTPUTS_MAX && work->outputs[i]; i++) {
        ok = oro_eval_give_host(eval, oro_eval_type(eval)->outputs[i].name, work->outputs[i]) && ok;
        work->outputs[i] = NULL;
    }
    return ok;
}

/* A stopped evaluation has failed by itself already. */
static bool compute(struct oro_eval *eval, struct oro_script_work *work)
{
    struct oro_error err = {0};
    bool ok = work->script->in_guest ? oro_script_compute_in_guest(work, &err)
                                     : work->script->form->compute(work, &err);
    return ok || oro_eval_failed(eval, &err);
}

bool oro_script_evaluate(struct oro_eval *eval, const void *params)
{
    const struct oro_node_type *type = oro_eval_type(eval);
    struct oro_script_work *work = oro_alloc(1, sizeof *work);
    if (!work)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a script");
    *work = (struct oro_script_work){.script = oro_script_of(type),
                                     .params = params,
                                     .grid = *oro_eval_grid(eval),
                                     .seed = oro_script_seed(type, params),
                                     .log = oro_eval_log(eval),
                                     .stopped = oro_eval_stopped,
                                     .progress = progress,
                                     .user = eval};
    bool ok = oro_script_rasters(eval, params, &work->rasters) && make_outputs(eval, work) &&
              compute(eval, work) && give_outputs(eval, work);
    for (int i = 0; i < ORO_SCRIPT_OUTPUTS_MAX; i++)
        oro_free(work->outputs[i]);
    oro_free(work);
    return ok;
}
