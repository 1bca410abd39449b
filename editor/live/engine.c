#include "editor/live/engine.h"

#include "base/budget.h"
#include "base/memory.h"
#include "devices/devices.h"
#include "graph/plan/file_digests.h"
#include "lua/types/registry.h"

bool ed_engine_open(struct ed_engine *engine, const struct ed_engine_options *options, struct oro_error *err)
{
    *engine = (struct ed_engine){.options = *options};
    if (!oro_registry_open(&engine->registry, &oro_builtin_nodes, options->live.allow_any_path, options->log,
                           err))
        return false;
    oro_scripts_stop_when(engine->registry.scripts, options->stopped, options->user);
    return true;
}

static bool make_cache(struct ed_engine *engine, struct oro_error *err)
{
    struct oro_cache_options cache = {
        .folder = engine->options.live.no_disk_cache ? "" : NULL,
        .device_bytes = engine->memory_bytes / 2,
        .host_bytes = oro_budget() / 8,
        .log = engine->options.log,
    };
    oro_file_digests_note(engine->registry.digests, cache.folder, ORO_FILE_NOTED_BYTES);
    engine->cache = oro_cache_create(&cache);
    return engine->cache || oro_fail(err, ORO_E_MEMORY, "no memory for the cache");
}

bool ed_engine_start(struct ed_engine *engine, struct oro_error *err)
{
    const struct ed_live_options *live = &engine->options.live;
    struct oro_gpu_options gpu = {
        .index = live->device, .shader_dir = live->shader_dir, .log = engine->options.log};
    engine->device = oro_device_open(&gpu, err);
    if (!engine->device)
        return false;
    /* Half of the budget, because a live evaluation and a build may run side by side. */
    engine->memory_bytes =
        (live->memory_bytes ? live->memory_bytes : oro_gpu_budget(&engine->device->info)) / 2;
    engine->device->budget_bytes = engine->memory_bytes;
    if (!make_cache(engine, err))
        return false;
    struct oro_evaluator_options evaluator = engine->options.evaluator;
    evaluator.log = *engine->options.log;
    evaluator.user = engine->options.user;
    engine->evaluator = oro_evaluator_create(engine->device, engine->cache, &evaluator);
    engine->replanner = engine->evaluator ? oro_replanner_create() : NULL;
    return engine->replanner || oro_fail(err, ORO_E_MEMORY, "no memory for the evaluator");
}

const struct oro_plan *ed_engine_plan(struct ed_engine *engine, const struct oro_document *doc,
                                      const struct oro_target *targets, size_t count, int cap,
                                      struct oro_error *err)
{
    struct oro_plan_options options = {
        .max_resolution = cap,
        .fields_only = true, /* nothing shows an uplift as it is */
        .allow_any_path = engine->options.live.allow_any_path,
        .checked = true,
        .memory_bytes = engine->memory_bytes,
    };
    return oro_replan(engine->replanner, doc, &engine->registry, targets, count, &options, engine->device,
                      err);
}

void ed_engine_close(struct ed_engine *engine)
{
    oro_replanner_destroy(engine->replanner);
    oro_evaluator_destroy(engine->evaluator);
    oro_cache_destroy(engine->cache);
    if (engine->device)
        engine->device->ops->destroy(engine->device);
    oro_registry_close(&engine->registry);
    engine->replanner = NULL;
    engine->evaluator = NULL;
    engine->cache = NULL;
    engine->device = NULL;
}
