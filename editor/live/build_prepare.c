/* Adds a writing node for each output that is to be written, as if the document had one. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "editor/live/build_private.h"
#include "formats/engine.h"
#include "graph/reuse/prepare.h"

static bool copy_outputs(const struct ed_build_options *options, struct ed_build_job *job)
{
    job->output_count = options->output_count;
    job->outputs = oro_arena_alloc(job->arena, job->output_count + 1, sizeof *job->outputs);
    for (size_t i = 0; job->outputs && i < job->output_count; i++) {
        const struct ed_build_output *from = &options->outputs[i];
        struct ed_build_output *to = &job->outputs[i];
        *to =
            (struct ed_build_output){.node = oro_arena_text(job->arena, from->node),
                                     .output = from->output ? oro_arena_text(job->arena, from->output) : NULL,
                                     .path = from->path ? oro_arena_text(job->arena, from->path) : NULL};
        if (!to->node || (from->output && !to->output) || (from->path && !to->path))
            return false;
    }
    return job->outputs;
}

/* Sets the world's resolution; 0 leaves the document's own. */
static bool set_world(struct oro_document *doc, int resolution, struct oro_error *err)
{
    struct oro_world world = *oro_document_world(doc);
    if (resolution <= 0)
        return true;
    oro_world_set(&world, ORO_WORLD_RESOLUTION, resolution);
    return oro_edit_world(doc, &world, err);
}

bool ed_build_copy(const struct ed_build_options *options, struct ed_build_job *job, struct oro_error *err)
{
    *job = (struct ed_build_job){
        .arena = oro_arena_create(),
        .doc = oro_document_clone(options->root),
        .engine = options->engine,
        .options = {.max_resolution = options->max_resolution > 0 ? options->max_resolution : 0,
                    .has_seed = options->has_seed,
                    .seed = options->seed,
                    .allow_any_path = options->live.allow_any_path}};
    bool ok = (job->arena && job->doc && copy_outputs(options, job)) ||
              oro_fail(err, ORO_E_MEMORY, "no memory to build the document");
    ok = ok && set_world(job->doc, options->base_resolution, err);
    if (!ok)
        ed_build_free(job);
    return ok;
}

void ed_build_free(struct ed_build_job *job)
{
    oro_document_destroy(job->doc);
    oro_arena_destroy(job->arena);
    *job = (struct ed_build_job){0};
}

/* An absolute path, or one beside the document. The user chose it, so that it may lie anywhere. */
static bool add_file(struct ed_build_job *job, const char *id, const char *path, struct oro_error *err)
{
    const char *document = oro_document_path(job->doc);
    char *beside = oro_path_beside(document[0] ? document : NULL, path);
    const char *kept = beside ? oro_arena_text(job->arena, beside) : NULL;
    oro_free(beside);
    if (!kept)
        return oro_fail(err, ORO_E_MEMORY, "no memory to build the document");
    job->overrides[job->override_count++] = (struct oro_override){id, "file", kept};
    return true;
}

static bool prepare_output(const struct oro_registry *registry, struct ed_build_job *job, size_t index,
                           struct oro_error *err)
{
    const struct ed_build_output *output = &job->outputs[index];
    const char *id = output->node;
    if (!output->output && !oro_document_find(job->doc, output->node))
        return oro_fail(err, ORO_E_DOCUMENT, "there is no node '%s'", output->node);
    if (output->output) {
        enum oro_type type = oro_rendered_type(job->doc, registry, output->node, output->output, NULL);
        id = oro_prepare_writer(job->doc, registry, output->node, output->output, job->arena, err);
        if (id && type == ORO_FIELD && job->engine > 0)
            job->overrides[job->override_count++] =
                (struct oro_override){id, "for", oro_engine_names[job->engine]};
    }
    job->targets[index] = (struct oro_target){.node = id};
    if (id && output->output && !output->path)
        return oro_fail(err, ORO_E_USAGE, "no file is named for output '%s' of '%s'", output->output,
                        output->node);
    return id && (!output->path || add_file(job, id, output->path, err));
}

bool ed_build_prepare(const struct oro_registry *registry, struct ed_build_job *job, struct oro_error *err)
{
    job->targets = oro_arena_alloc(job->arena, job->output_count + 1, sizeof *job->targets);
    job->overrides = oro_arena_alloc(job->arena, 2 * job->output_count + 1, sizeof *job->overrides);
    if (!job->targets || !job->overrides)
        return oro_fail(err, ORO_E_MEMORY, "no memory to build the document");
    if (job->output_count == 0)
        return oro_fail(err, ORO_E_USAGE, "nothing to build: choose what to write");
    for (size_t i = 0; i < job->output_count; i++)
        if (!prepare_output(registry, job, i, err)) {
            oro_error_place(err, NULL, 0, job->outputs[i].node);
            return false;
        }
    if (!oro_prepare_seas(job->doc, registry, err))
        return false;
    job->options.overrides = job->overrides;
    job->options.override_count = job->override_count;
    return true;
}

/* The size at which an output is written: that of what its writing node is given, as the engine takes it. */
static struct ed_build_size size_of(const struct oro_plan *plan, const struct ed_build_job *job, size_t index)
{
    const struct oro_step *sink = &plan->steps[plan->targets[index].step];
    const struct oro_engine *engine = oro_engine_at(job->engine);
    struct ed_build_size none = {0, 0};
    if (!job->outputs[index].output)
        return none;
    for (size_t k = 0; sink->type->inputs[k].name; k++) {
        if (sink->sources[k].step < 0 || sink->type->inputs[k].type == ORO_NETWORK)
            continue;
        const struct oro_grid *grid = &plan->steps[sink->sources[k].step].grid;
        bool fits = engine && sink->type->inputs[k].type == ORO_FIELD;
        return (struct ed_build_size){fits ? oro_engine_side(engine, grid->width) : grid->width,
                                      fits ? oro_engine_side(engine, grid->height) : grid->height};
    }
    return none;
}

bool ed_build_estimate(const struct oro_document *root, const struct oro_registry *registry,
                       const struct ed_build_options *options, struct ed_build_estimate *estimate,
                       struct oro_error *err)
{
    struct ed_build_job job;
    struct ed_build_options all = *options;
    all.root = root;
    *estimate = (struct ed_build_estimate){.device = estimate->device, .sizes = estimate->sizes};
    if (!ed_build_copy(&all, &job, err))
        return false;
    struct oro_plan *plan = NULL;
    if (ed_build_prepare(registry, &job, err))
        plan =
            oro_plan_create(job.doc, registry, job.targets, job.output_count, &job.options, NULL, NULL, err);
    for (size_t i = 0; plan && i < plan->step_count; i++) {
        const struct oro_grid *grid = &plan->steps[i].grid;
        if (plan->steps[i].output_bytes == 0 ||
            oro_grid_cells(grid) <= (size_t)estimate->width * (size_t)estimate->height)
            continue;
        estimate->width = grid->width;
        estimate->height = grid->height;
    }
    bool ok = plan;
    if (ok)
        estimate->peak_bytes = plan->peak_bytes;
    if (ok && estimate->device)
        estimate->time = oro_forecast_plan(plan, NULL, estimate->device);
    for (size_t i = 0; ok && estimate->sizes && i < job.output_count; i++)
        estimate->sizes[i] = size_of(plan, &job, i);
    oro_plan_destroy(plan);
    ed_build_free(&job);
    return ok;
}
