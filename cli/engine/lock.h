/*
 * Locks: what every node of a graph gives on the processor, in a file beside it. Results there are the same
 * bits on every processor, so whoever computes them anew can tell what has changed since.
 */
#ifndef ORO_CLI_ENGINE_LOCK_H
#define ORO_CLI_ENGINE_LOCK_H

#include "cli/engine/locked.h"
#include "cli/options/options.h"
#include "graph/plan/plan.h"

/* Under which settings results were computed: those of `orograph render` of the same names. */
struct cli_lock_settings {
    struct cli_list set;
    struct cli_integer max_resolution, seed;
};

struct cli_lock_step {
    const char *id, *type; /* of the step: nodes within others are "id/name" */
    bool portable;         /* no driver had a part in it, or in what it was made from */
    struct cli_locked *outputs;
    int output_count;
};

struct cli_lock {
    struct cli_lock_settings settings;
    struct oro_hash document; /* of the graph's file */
    struct cli_lock_step *steps;
    size_t count;
    struct oro_arena *arena; /* owns all */
};

/* The name of a graph's lock: GRAPH.lock. */
const char *cli_lock_path(struct oro_arena *arena, const char *graph);
/* Fails with ORO_E_FILE: there is no such file, or it is no lock. Call cli_lock_free in any case. */
bool cli_lock_read(const char *path, struct cli_lock *lock, struct oro_error *err);
bool cli_lock_write(const struct cli_lock *lock, const char *path, struct oro_error *err);
void cli_lock_free(struct cli_lock *lock);
const struct cli_lock_step *cli_lock_find(const struct cli_lock *lock, const char *id);

/* Sees the results of a step as they are computed, in the plan's order. */
typedef bool cli_lock_visit(void *user, const struct oro_step *step, const struct cli_lock_step *locked,
                            struct oro_value *const *values, struct oro_error *err);

struct cli_lock_run {
    const char *graph; /* its file */
    bool allow_path;
    int progress; /* enum cli_progress_mode */
    cli_lock_visit *visit;
    void *user;
};

/* Computes the results of all nodes of a graph but those that write files, on the processor and without the
 * cache's results, with the settings of `lock`, whose steps and digest it fills. */
bool cli_lock_compute(const struct cli_lock_run *run, struct cli_lock *lock, struct oro_error *err);

#endif
