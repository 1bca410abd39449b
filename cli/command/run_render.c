/* graph:render and graph:export: one device, evaluator and cache for all of a script's work. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/command/run.h"
#include "cli/engine/output.h"
#include "cli/engine/prepare.h"
#include "formats/nodata.h"

/* ---- Evaluating ---- */

void cli_run_step_done(void *user, const struct oro_step_report *step)
{
    struct cli_run *run = user;
    if (step->step != run->wanted)
        return;
    run->figure_count = step->figure_count;
    memcpy(run->figures, step->figures, sizeof run->figures);
}

static bool evaluate(struct cli_run *run, const struct oro_plan *plan, bool require_drained,
                     struct oro_value **values, struct oro_error *err)
{
    const struct oro_evaluator_options how = {.claims = true, .require_drained = require_drained};
    run->figure_count = 0;
    run->wanted = values ? &plan->steps[plan->targets[0].step] : NULL;
    bool ok = cli_work_evaluator(&run->work, &how, err) && cli_work_evaluate(&run->work, plan, values, err);
    run->wanted = NULL;
    return ok;
}

/* ---- Plans ---- */

/* The files that a document's nodes write must be among those that the script may write. */
static bool check_file(void *user, const struct oro_step *step, const struct oro_input *input,
                       const char *path, struct oro_error *err)
{
    (void)step;
    return !input->writes || cli_places_write(&((const struct cli_run *)user)->places, path, err);
}

/* As `--region` takes it. */
static bool take_region(const struct oro_batch_value *options, struct oro_world_region *region,
                        struct oro_error *err)
{
    const struct oro_batch_value *text = oro_batch_item(options, "region");
    *region = (struct oro_world_region){.given = false};
    return text->kind == ORO_BATCH_NIL || oro_world_region_parse(text->text, region, err) ||
           cli_run_reword(err);
}

static bool plan_options(const struct cli_run *run, const struct oro_batch_value *given,
                         struct oro_plan_options *options, struct oro_error *err)
{
    const struct oro_batch_value *cap = oro_batch_item(given, "max_resolution"),
                                 *seed = oro_batch_item(given, "seed");
    if (cap->kind != ORO_BATCH_NIL && (cap->number < 1 || cap->number > ORO_GRID_MAX))
        return oro_fail(err, ORO_E_USAGE, "'max_resolution' must be from 1 to %d", ORO_GRID_MAX);
    struct oro_world_region region;
    if (!take_region(given, &region, err))
        return false;
    *options = (struct oro_plan_options){.max_resolution = (int)cap->number,
                                         .has_seed = seed->kind == ORO_BATCH_NUMBER,
                                         .seed = (int64_t)seed->number,
                                         .fields_only = true,
                                         .region = region,
                                         .allow_any_path = run->allow_any_path,
                                         .memory_bytes = run->work.session.memory_bytes,
                                         .spread = run->work.session.spread};
    return true;
}

/* Plans what `scratch` wants; checks the document if it was changed. */
static struct oro_plan *make_plan(struct cli_run *run, struct cli_run_graph *graph,
                                  const struct cli_graph *scratch, const struct oro_batch_value *given,
                                  struct oro_error *err)
{
    struct oro_plan_options options;
    uint64_t revision = oro_document_revision(graph->graph.doc);
    if (!run->work.session.device && !cli_session_open(&run->work.session, &run->work.options, err))
        return NULL;
    if (!plan_options(run, given, &options, err))
        return NULL;
    size_t count = graph->file_count + scratch->override_count;
    struct oro_override *overrides = oro_arena_alloc(scratch->arena, count + 1, sizeof *overrides);
    if (!overrides) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a plan");
        return NULL;
    }
    if (scratch->override_count > 0)
        memcpy(overrides, scratch->overrides, scratch->override_count * sizeof *overrides);
    if (graph->file_count > 0)
        memcpy(overrides + scratch->override_count, graph->files, graph->file_count * sizeof *overrides);
    options.overrides = overrides;
    options.override_count = count;
    options.checked = graph->checked == revision && graph->graph.doc;
    struct oro_plan *plan =
        oro_plan_create(scratch->doc, &graph->graph.registry, scratch->targets, scratch->target_count,
                        &options, run->work.session.device, NULL, err);
    if (!plan)
        return NULL;
    graph->checked = revision;
    if (cli_work_files(plan, check_file, run, err))
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

/* The cells of the sea, by the mask that comes with the terrain and the world's level. */
static bool take_sea(struct cli_run_result *result, struct oro_value *mask, struct oro_error *err)
{
    struct oro_heightfield *field = &result->field;
    bool fits = mask && field->data && oro_grid_same_size(&mask->grid, &result->value->grid) &&
                oro_grid_same_ground(&mask->grid, &result->value->grid);
    const float *cells = fits ? oro_value_host(mask, err) : NULL;
    if (result->options.not_terrain || !field->data)
        return true;
    bool ok = (!fits || (cells && oro_heightfield_mark(field, cells, err))) &&
              (!result->options.has_sea || oro_heightfield_mark_sea(field, result->options.sea, err));
    result->options.sea_mask = result->sea = field->sea;
    return ok;
}

static bool render(struct cli_run *run, struct oro_batch_call *call, struct cli_graph *scratch,
                   struct oro_error *err)
{
    struct oro_output wanted;
    struct oro_world_region region;
    bool cut;
    struct oro_value *values[2] = {NULL};
    double began = oro_now();
    if (!take_region(&call->arguments[1], &region, err) ||
        (region.given && !cli_run_scratch_own(scratch, err)) ||
        !cli_want_output(scratch, call->arguments[0].text, err) ||
        !cli_wanted_output(scratch, 0, &wanted, err))
        return false;
    if (wanted.type == ORO_FIELD)
        cli_want_sea(scratch);
    if (!cli_want_region(scratch, &region, &cut, err))
        return cli_run_reword(err);
    struct oro_plan *plan = make_plan(run, call->self, scratch, &call->arguments[1], err);
    bool ok = plan && evaluate(run, plan, false, values, err);
    ok =
        ok && (!cut || cli_cut_region(&region, run->work.session.device, values, scratch->target_count, err));
    struct cli_run_result *result = ok ? make_result(values[0], plan, &wanted, err) : NULL;
    if (!ok)
        oro_value_release(values[0]);
    if (result && !take_sea(result, values[1], err)) {
        cli_run_result_free(result);
        result = NULL;
    }
    oro_value_release(values[1]);
    double seconds = oro_now() - began;
    if (result)
        cli_progress_rendered(&run->work.progress, plan->document, &plan->steps[plan->targets[0].step],
                              seconds);
    oro_plan_destroy(plan);
    return result && cli_run_give_result(call, result, seconds, run->figures, run->figure_count, err);
}

bool cli_run_render(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_graph scratch;
    bool ok = cli_run_scratch(call->self, &scratch, err) && render(run, call, &scratch, err);
    cli_run_scratch_free(call->self, &scratch);
    return ok;
}

/* ---- Exporting ---- */

struct written {
    struct oro_batch_call *call;
    size_t count;
};

static bool count_written(void *user, const struct oro_step *step, const struct oro_input *input,
                          const char *path, struct oro_error *err)
{
    struct written *written = user;
    struct oro_batch_call *call = written->call;
    (void)err;
    if (!step->type->sink || !input->writes)
        return true;
    if (call->result.items)
        call->result.items[written->count] = oro_batch_text(NULL, oro_arena_text(call->arena, path));
    written->count++;
    return true;
}

static bool list_written(const struct oro_plan *plan, struct oro_batch_call *call, struct oro_error *err)
{
    struct written count = {call, 0}, list = {call, 0};
    cli_work_files(plan, count_written, &count, err);
    call->result = oro_batch_room(call->arena, ORO_BATCH_ITEMS, NULL, count.count);
    if (!call->result.items)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a list");
    return cli_work_files(plan, count_written, &list, err);
}

/* In a document of its own. */
static bool want_files(struct cli_graph *scratch, const struct oro_batch_value *options,
                       struct oro_error *err)
{
    const struct oro_batch_value *name = oro_batch_item(options, "build");
    struct oro_world_region region;
    bool cut;
    const struct oro_doc_build *build = NULL;
    if (!take_region(options, &region, err) ||
        (name->kind != ORO_BATCH_NIL && !(build = cli_take_build(scratch, name->text, err))))
        return false;
    return (build ? cli_want_build(scratch, build, err) : cli_want_sinks(scratch, err)) &&
           oro_prepare_seas(scratch->doc, &scratch->registry, err) &&
           (cli_want_region(scratch, &region, &cut, err) || cli_run_reword(err));
}

bool cli_run_export(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_graph scratch;
    const struct oro_batch_value *options = &call->arguments[0];
    bool drained = oro_batch_item(options, "require_drained")->boolean;
    double began = oro_now();
    struct oro_plan *plan = NULL;
    bool ok = cli_run_scratch(call->self, &scratch, err) && cli_run_scratch_own(&scratch, err) &&
              want_files(&scratch, options, err);
    if (ok)
        plan = make_plan(run, call->self, &scratch, options, err);
    ok = plan && evaluate(run, plan, drained, NULL, err) && list_written(plan, call, err);
    if (ok)
        cli_progress_rendered(&run->work.progress, plan->document, &plan->steps[plan->targets[0].step],
                              oro_now() - began);
    oro_plan_destroy(plan);
    cli_run_scratch_free(call->self, &scratch);
    return ok;
}
