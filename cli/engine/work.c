#include "cli/engine/work.h"

#include "base/clock.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/output.h"

void cli_work_begin(struct cli_work *work, const struct cli_work_options *options, struct oro_ranks *ranks)
{
    *work = (struct cli_work){0};
    cli_interrupt_begin(!ranks);
    cli_progress_begin(&work->progress, (enum cli_progress_mode)options->progress);
    work->log = cli_progress_log(&work->progress);
    work->options = (struct cli_session_options){.device = options->device,
                                                 .shader_dir = options->shader_dir,
                                                 .memory_bytes = (size_t)options->memory.value << 20,
                                                 .host_bytes = (size_t)options->host_memory.value << 20,
                                                 .no_cache = options->no_cache,
                                                 .log = &work->log,
                                                 .ranks = ranks,
                                                 .whole = (int)options->whole.value,
                                                 .tile = (int)options->tile.value};
    work->forecast = (struct cli_forecast){.log = work->log, .session = &work->session};
}

void cli_work_end(struct cli_work *work)
{
    cli_interrupt_end();
    for (size_t i = 0; i < sizeof work->evaluators / sizeof work->evaluators[0]; i++)
        oro_evaluator_destroy(work->evaluators[i]);
    cli_session_close(&work->session);
}

static void on_progress(void *user, const struct oro_progress *progress)
{
    struct cli_work *work = user;
    cli_forecast_while(&work->forecast, progress);
    cli_progress_update(&work->progress, progress);
    if (work->deadline > 0 && oro_now() > work->deadline && !work->late) {
        work->late = true;
        oro_evaluator_cancel(work->evaluator);
    }
}

static void on_forecast(void *user, const struct oro_forecast *forecast)
{
    struct cli_work *work = user;
    cli_forecast_before(&work->forecast, work->plan, forecast);
}

static void on_step_done(void *user, const struct oro_step_report *step)
{
    struct cli_work *work = user;
    cli_progress_step_done(&work->progress, step);
    work->step_done(work->user, step);
}

static void on_live(void *user, const struct oro_live *live)
{
    struct cli_work *work = user;
    work->live(work->user, live);
}

bool cli_work_evaluator(struct cli_work *work, const struct oro_evaluator_options *how, struct oro_error *err)
{
    struct oro_evaluator_options options = *how;
    struct oro_evaluator **evaluator = &work->evaluators[how->require_drained];
    options.log = work->log;
    options.progress = on_progress;
    options.forecast = on_forecast;
    options.step_done = on_step_done;
    options.live = work->live ? on_live : NULL;
    options.user = work;
    if (!*evaluator)
        *evaluator = oro_evaluator_create(work->session.device, work->session.cache, &options);
    work->evaluator = *evaluator;
    return work->evaluator || oro_fail(err, ORO_E_MEMORY, "no memory for the evaluator");
}

bool cli_work_evaluate(struct cli_work *work, const struct oro_plan *plan, struct oro_value **values,
                       struct oro_error *err)
{
    oro_cache_settle(work->session.cache);
    cli_interrupt_watch(work->evaluator);
    work->plan = plan;
    work->late = false;
    bool ok = oro_evaluate(work->evaluator, plan, values, err);
    work->plan = NULL;
    cli_progress_erase(&work->progress);
    if (!ok)
        oro_evaluator_blame_inputs(work->evaluator, plan, err);
    if (!ok && work->late)
        oro_fail(err, ORO_E_LIMIT, "the script takes more than --seconds %g", work->seconds);
    if (!ok && err->code == ORO_E_USAGE)
        err->code = ORO_E_DOCUMENT; /* the invalid request was a node's, not the command line's */
    return ok;
}

bool cli_work_files(const struct oro_plan *plan, cli_visit_file *visit, void *user, struct oro_error *err)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct oro_step *step = &plan->steps[i];
        for (const struct oro_input *input = step->type->inputs; input && input->name; input++) {
            const char *path = input->type == ORO_FILE ? cli_file_of(step, input) : "";
            if (!*path || visit(user, step, input, path, err))
                continue;
            oro_error_place(err, plan->document, step->line, step->id);
            return false;
        }
    }
    return true;
}
