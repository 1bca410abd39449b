/*
 * What ranks compare before they work together (graph/type/ranks.h): where they differ, they would wait for
 * each other in vain, or mix results that do not go together. All are collective, and fail on every rank,
 * naming two that differ. NULL for `ranks`: one process alone, which has nothing to compare.
 */
#ifndef ORO_CLI_ENGINE_AGREE_H
#define ORO_CLI_ENGINE_AGREE_H

#include "graph/plan/plan.h"
#include "graph/type/device.h"
#include "graph/type/ranks.h"

/* Version and kernels of the program, and what it was asked to do. */
bool cli_same_program(struct oro_ranks *ranks, char *const *arguments, int count, struct oro_error *err);
/* The contents of the document; not those of "-", standard input. */
bool cli_same_document(struct oro_ranks *ranks, const char *path, struct oro_error *err);
/* Steps and their keys, and so the files that they read, scripts, and graphs that are used. */
bool cli_same_plan(struct oro_ranks *ranks, const struct oro_plan *plan, struct oro_error *err);
/* The bits that were computed for an output. */
bool cli_same_bits(struct oro_ranks *ranks, const char *output, const void *data, size_t bytes,
                   struct oro_error *err);

/* Says on standard output which devices have computed. */
void cli_say_devices(struct oro_ranks *ranks, const struct oro_device_info *info);

#endif
