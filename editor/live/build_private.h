/* Shared by build.c and build_prepare.c. */
#ifndef ED_LIVE_BUILD_PRIVATE_H
#define ED_LIVE_BUILD_PRIVATE_H

#include "base/memory.h"
#include "editor/live/build.h"
#include "graph/plan/plan.h"

/* What is built: a copy of the document with a node for every file. */
struct ed_build_job {
    struct oro_arena *arena; /* owns all but the document */
    struct oro_document *doc;
    struct ed_build_output *outputs;
    size_t output_count;
    struct oro_target *targets;     /* as many as outputs */
    struct oro_override *overrides; /* where files go: they were chosen by the user, not by the document */
    size_t override_count;
    struct oro_plan_options options; /* with the overrides, once it was made ready */
};
/* Copies what is asked for; needs no registry. On failure nothing is left. */
bool ed_build_copy(const struct ed_build_options *options, struct ed_build_job *job, struct oro_error *err);
/* Adds the nodes that write files. */
bool ed_build_prepare(const struct oro_registry *registry, struct ed_build_job *job, struct oro_error *err);
void ed_build_free(struct ed_build_job *job);

#endif
