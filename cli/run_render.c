/* graph:render and graph:export: one device, evaluator and cache for all of a script's work. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/run.h"

/* ---- The evaluator ---- */

static void on_forecast(void *user, const struct oro_forecast *work)
{
    struct cli_run *run = user;
    cli_forecast_before(&run->forecast, NULL, work);
}

static void on_progress(void *user, const struct oro_progress *progress)
{
    struct cli_run *run = user;
    cli_forecast_while(&run->forecast, progress);
    cli_progress_update(&run->progress, progress);
    if (run->deadline > 0 && oro_now() > run->deadline && !run->late) {
        run->late = true;
        oro_evaluator_cancel(run->evaluator);
    }
}

static void on_step_done(void *user, const struct oro_step_report *step)
{
    struct cli_run *run = user;
    cli_progress_step_done(&run->progress, step);
    if (step->step != run->wanted)
        return;
    run->figure_count = step->figure_count;
    memcpy(run->figures, step->figures, sizeof run->figures);
}

static bool evaluate(struct cli_run *run, const struct oro_plan *plan, bool require_drained,
                     struct oro_value **values, struct oro_error *err)
{
    oro_cache_settle(run->session.cache);
    /* One evaluator for each kind of work, because its requirements for terrains are fixed. */
    const struct oro_evaluator_options options = {.log = run->log,
                                                  .progress = on_progress,
                                                  .forecast = on_forecast,
                                                  .step_done = on_step_done,
                                                  .user = run,
                                                  .claims = true,
                                                  .require_drained = require_drained};
    struct oro_evaluator **evaluator = &run->evaluators[require_drained];
    if (!*evaluator)
        *evaluator = oro_evaluator_create(run->session.device, run->session.cache, &options);
    run->evaluator = *evaluator;
    if (!run->evaluator)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the evaluator");
    cli_interrupt_watch(run->evaluator);
    run->figure_count = 0;
    run->late = false;
    run->forecast.log = run->log; /* it tells once for all that the script renders */
    run->forecast.session = &run->session;
    run->wanted = values ? &plan->steps[plan->targets[0].step] : NULL;
    bool ok = oro_evaluate(run->evaluator, plan, values, err);
    run->wanted = NULL;
    cli_progress_erase(&run->progress);
    if (!ok && run->late)
        oro_fail(err, ORO_E_LIMIT, "the script takes more than --seconds %g", run->seconds);
    if (!ok && err->code == ORO_E_USAGE)
        err->code = ORO_E_DOCUMENT; /* the invalid request was a node's */
    return ok;
}

/* ---- Plans ---- */

/* The files that a document's nodes write must be among those that the script may write. */
static bool check_files(const struct cli_run *run, const struct oro_plan *plan, struct oro_error *err)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct oro_step *step = &plan->steps[i];
        for (const struct oro_input *input = step->type->inputs; input->name; input++) {
            if (!input->writes || !*cli_file_of(step, input) ||
                cli_places_write(&run->places, cli_file_of(step, input), err))
                continue;
            oro_error_place(err, plan->document, step->line, step->id);
            return false;
        }
    }
    return true;
}

static bool plan_options(const struct cli_run *run, const struct oro_batch_value *given,
                         struct oro_plan_options *options, struct oro_error *err)
{
    const struct oro_batch_value *cap = oro_batch_item(given, "max_resolution"),
                                 *seed = oro_batch_item(given, "seed");
    if (cap->kind != ORO_BATCH_NIL && (cap->number < 1 || cap->number > ORO_GRID_MAX))
        return oro_fail(err, ORO_E_USAGE, "'max_resolution' must be from 1 to %d", ORO_GRID_MAX);
    *options = (struct oro_plan_options){.max_resolution = (int)cap->number,
                                         .has_seed = seed->kind == ORO_BATCH_NUMBER,
                                         .seed = (int64_t)seed->number,
                                         .fields_only = true,
                                         .allow_any_path = run->allow_any_path,
                                         .memory_bytes = run->session.memory_bytes,
                                         .spread = run->session.spread};
    return true;
}

/* Plans what `scratch` wants; checks the document if it was changed. */
static struct oro_plan *make_plan(struct cli_run *run, struct cli_run_graph *graph,
                                  const struct cli_graph *scratch, const struct oro_batch_value *given,
                                  struct oro_error *err)
{
    struct oro_plan_options options;
    uint64_t revision = oro_document_revision(graph->graph.doc);
    if (!run->session.device && !cli_session_open(&run->session, &run->session_options, err))
        return NULL;
    if (!plan_options(run, given, &options, err))
        return NULL;
    options.overrides = graph->files;
    options.override_count = graph->file_count;
    options.checked = graph->checked == revision && graph->graph.doc;
    struct oro_plan *plan = oro_plan_create(scratch->doc, &graph->graph.registry, scratch->targets,
                                            scratch->target_count, &options, run->session.device, NULL, err);
    if (!plan)
        return NULL;
    graph->checked = revision;
    if (check_files(run, plan, err))
        return plan;
    oro_plan_destroy(plan);
    return NULL;
}

/* ---- Rendering ---- */

/* Copies the result's description, because the plan that owns it is about to go. */
static bool describe(struct cli_run_result *result, const struct oro_plan *plan,
                     const struct oro_output *wanted, struct oro_error *err)
{
    const struct oro_output *output = cli_given_output(plan, 0, wanted);
    struct oro_value *value = result->value;
    const void *data = oro_value_host(value, err);
    result->output = (struct oro_output){
        .name = oro_arena_text(result->arena, output->name), .type = value->type, .unit = output->unit};
    if (!data)
        return false;
    if (!result->output.name)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a result");
    if (value->channels > 0 &&
        !oro_value_to_host(value, err)) /* frees device memory, which evaluations need */
        return false;
    if (!cli_output_options(plan, 0, value, oro_value_host(value, err), oro_grid_cells(&value->grid),
                            result->digest, &result->options, err))
        return false;
    struct oro_sidecar *sidecar = &result->options.sidecar;
    sidecar->document = oro_arena_text(result->arena, sidecar->document);
    result->world = plan->place;
    if (plan->place.crs)
        result->world.crs = oro_arena_text(result->arena, plan->place.crs);
    if (value->channels == 1)
        result->field =
            (struct oro_heightfield){.width = value->grid.width,
                                     .height = value->grid.height,
                                     .data = value->host,
                                     .cell = value->grid.cell,
                                     .metres = output->unit == ORO_METRE,
                                     .place = oro_place_within(&result->world, value->grid.x, value->grid.y)};
    return (sidecar->document && !result->world.crs == !plan->place.crs) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for a result");
}

static struct cli_run_result *make_result(struct oro_value *value, const struct oro_plan *plan,
                                          const struct oro_output *wanted, struct oro_error *err)
{
    struct cli_run_result *result = oro_alloc(1, sizeof *result);
    if (result)
        result->arena = oro_arena_create();
    if (!result || !result->arena) {
        oro_free(result);
        oro_value_release(value);
        oro_fail(err, ORO_E_MEMORY, "no memory for a result");
        return NULL;
    }
    result->value = value;
    if (describe(result, plan, wanted, err))
        return result;
    cli_run_result_free(result);
    return NULL;
}

static bool render(struct cli_run *run, struct oro_batch_call *call, struct cli_graph *scratch,
                   struct oro_error *err)
{
    struct oro_output wanted;
    struct oro_value *value = NULL;
    double began = oro_now();
    if (!cli_want_output(scratch, call->arguments[0].text, err) ||
        !cli_wanted_output(scratch, 0, &wanted, err))
        return false;
    struct oro_plan *plan = make_plan(run, call->self, scratch, &call->arguments[1], err);
    bool ok = plan && evaluate(run, plan, false, &value, err);
    struct cli_run_result *result = ok ? make_result(value, plan, &wanted, err) : NULL;
    double seconds = oro_now() - began;
    if (result)
        cli_progress_rendered(&run->progress, plan->document, &plan->steps[plan->targets[0].step], seconds);
    oro_plan_destroy(plan);
    return result && cli_run_give_result(call, result, seconds, run->figures, run->figure_count, err);
}

bool cli_run_render(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_graph scratch;
    bool ok = cli_run_scratch(call->self, &scratch, err) && render(run, call, &scratch, err);
    cli_run_scratch_free(&scratch);
    return ok;
}

/* ---- Exporting ---- */

static bool list_written(const struct oro_plan *plan, struct oro_batch_call *call, struct oro_error *err)
{
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            call->result = oro_batch_room(call->arena, ORO_BATCH_ITEMS, NULL, count);
        if (pass && !call->result.items)
            return oro_fail(err, ORO_E_MEMORY, "no memory for a list");
        count = 0;
        for (size_t i = 0; i < plan->step_count; i++) {
            const struct oro_input *input = plan->steps[i].type->inputs;
            for (; plan->steps[i].type->sink && input->name; input++) {
                if (!input->writes || !*cli_file_of(&plan->steps[i], input))
                    continue;
                if (pass)
                    call->result.items[count] = oro_batch_text(
                        NULL, oro_arena_text(call->arena, cli_file_of(&plan->steps[i], input)));
                count++;
            }
        }
    }
    return true;
}

bool cli_run_export(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_graph scratch;
    const struct oro_batch_value *options = &call->arguments[0];
    bool drained = oro_batch_item(options, "require_drained")->boolean;
    double began = oro_now();
    struct oro_plan *plan = NULL;
    bool ok = cli_run_scratch(call->self, &scratch, err) && cli_want_sinks(&scratch, err);
    if (ok)
        plan = make_plan(run, call->self, &scratch, options, err);
    ok = plan && evaluate(run, plan, drained, NULL, err) && list_written(plan, call, err);
    if (ok)
        cli_progress_rendered(&run->progress, plan->document, &plan->steps[plan->targets[0].step],
                              oro_now() - began);
    oro_plan_destroy(plan);
    cli_run_scratch_free(&scratch);
    return ok;
}
