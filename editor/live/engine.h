/*
 * An engine holds all that one thread needs to evaluate: node types, a device, a cache, an evaluator. The
 * live evaluation and every build have one each. It belongs to the thread that opens it. Internal to live/.
 */
#ifndef ED_LIVE_ENGINE_H
#define ED_LIVE_ENGINE_H

#include "editor/live/options.h"
#include "graph/eval/evaluator.h"
#include "graph/plan/replan.h"

struct ed_engine_options {
    struct ed_live_options live;            /* texts must outlive the engine */
    const struct oro_log *log;              /* likewise */
    bool (*stopped)(void *user);            /* asked by scripts that are read */
    void *user;                             /* for it, and for the evaluator's */
    struct oro_evaluator_options evaluator; /* but for log and user */
};

struct ed_engine {
    struct ed_engine_options options;
    struct oro_registry registry;
    struct oro_device *device;
    struct oro_cache *cache;
    struct oro_evaluator *evaluator;
    struct oro_replanner *replanner;
    size_t memory_bytes; /* the device's budget: half of what a program of its own would take */
};

/* Loads the node types only. The engine must not be moved afterwards. Close it even after a failure. */
bool ed_engine_open(struct ed_engine *engine, const struct ed_engine_options *options, struct oro_error *err);
/* Opens the device, after the types. On failure the types can still be used. */
bool ed_engine_start(struct ed_engine *engine, struct oro_error *err);
/* A plan of one or more outputs of a checked document, uplifts as fields; valid until the next one. NULL:
 * `err` is filled. */
const struct oro_plan *ed_engine_plan(struct ed_engine *engine, const struct oro_document *doc,
                                      const struct oro_target *targets, size_t count, int cap,
                                      struct oro_error *err);
void ed_engine_close(struct ed_engine *engine);

#endif
