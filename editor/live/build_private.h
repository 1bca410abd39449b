/* Shared by build.c and build_prepare.c. */
#ifndef ED_LIVE_BUILD_PRIVATE_H
#define ED_LIVE_BUILD_PRIVATE_H

#include "base/memory.h"
#include "editor/live/build.h"
#include "graph/plan/plan.h"

/* What a build evaluates: a copy of the document with a node for every file. */
struct ed_build_job {
    struct oro_arena *arena; /* owns all but the document */
    struct oro_document *doc;
    struct ed_build_output *outputs;
    size_t output_count;
    struct oro_target *targets;     /* as many as outputs */
    struct oro_override *overrides; /* paths of the files, chosen by the user and not by the document */
    size_t override_count;
    int engine;
    struct oro_plan_options options; /* include the overrides, after ed_build_prepare */
};
/* Copies what the options ask for; needs no registry. On failure nothing is left to free. */
bool ed_build_copy(const struct ed_build_options *options, struct ed_build_job *job, struct oro_error *err);
/* Adds the nodes that write files. */
bool ed_build_prepare(const struct oro_registry *registry, struct ed_build_job *job, struct oro_error *err);
void ed_build_free(struct ed_build_job *job);

#endif
