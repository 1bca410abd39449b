/*
 * What an evaluator is told, and what it tells while it runs a plan: options, progress, reports of steps.
 */
#ifndef ORO_GRAPH_EVAL_OPTIONS_H
#define ORO_GRAPH_EVAL_OPTIONS_H

#include "graph/eval/pace.h"
#include "graph/plan/plan.h"
#include "graph/type/node.h"
#include "graph/type/ranks.h"
#include "graph/type/value.h"

enum oro_step_outcome {
    ORO_STEP_COMPUTED,
    ORO_STEP_MEMORY, /* from the memory cache */
    ORO_STEP_DISK,   /* from the disk cache */
    ORO_STEP_FAILED,
};

/* How one step was done. */
struct oro_step_report {
    const struct oro_step *step;
    enum oro_step_outcome outcome;
    double seconds;        /* wall clock */
    double device_seconds; /* negative: not measured */
    int iterations_run, resumed_from;
    uint64_t dispatches;
    const struct oro_result *result; /* while it is told; NULL: it failed */
    struct oro_hash digest;          /* of the first output's data; zero unless `digests` is set */
    struct oro_figure figures[ORO_RESULT_FIGURES_MAX];
    int figure_count;
    const char *said; /* of the result (graph/type/said.h), or NULL; while it is reported */
};

struct oro_progress {
    const struct oro_step *step;
    size_t step_index, step_count; /* among the steps that run */
    int done, total;               /* within the step; total 0: unknown */
    double rate;                   /* of the step's own work per second, 0 while unknown */
    double seconds_left;           /* estimate for the step; negative while unknown */
    double seconds;                /* since the evaluation began */
};

/* An output of a running simulation, as it looks so far. */
struct oro_live {
    const struct oro_step *step;
    const char *output; /* its name */
    /* To be read with oro_value_host and oro_value_buffer, and only during the call: it is the simulation's
     * own memory, which the next step overwrites. */
    struct oro_value *value;
    int done; /* steps */
};

/* The methods by which a kernel can run on the processor. */
enum oro_method { ORO_BY_DRIVER, ORO_BY_NATIVE, ORO_BY_HAND, ORO_METHODS };

/* What these have left in each buffer that the kernel writes. */
struct oro_methods_compared {
    const char *kernel;
    long cells; /* invocations */
    bool ran[ORO_METHODS];
    double seconds[ORO_METHODS]; /* of processor time, of the evaluator's thread */
    struct oro_compared {
        const char *slot, *type; /* as in struct oro_slot */
        size_t bytes;
        void *left[ORO_METHODS]; /* NULL: it did not run */
    } buffers[ORO_BUFFERS_MAX];
    int buffer_count;
};

struct oro_evaluator_options {
    struct oro_log log;
    /* Called at most about ten times a second, and also at every step's start (done 0, total 0) and end (done
     * == total). */
    void (*progress)(void *user, const struct oro_progress *progress);
    /* Called once it is known what is to run, and before it does: how long that may take. Not without a cache
     * on disk, which has the notes, nor with ranks. */
    void (*forecast)(void *user, const struct oro_forecast *forecast);
    void (*step_done)(void *user, const struct oro_step_report *report);
    void *user;
    /* Called on the evaluator's thread while a simulation runs: with its initial state, then every
     * `live_every` steps (0: 1) unless `live_seconds` have not passed since the last call, and with its final
     * output. Where both say that not every step matters (0, and some seconds), steps that are done at once
     * are not shown one by one. NULL: nothing is shown. The results are the same bits in either case. Results
     * from the cache are not shown, nor are the steps that a stored state had done; what runs again after the
     * device was lost is shown again. */
    void (*live)(void *user, const struct oro_live *live);
    int live_every;
    double live_seconds;
    double state_seconds; /* least time between stored intermediate states; 0: 2 */
    /* How much of a simulation may be lost when its process dies: after so many seconds (0: 30) its state is
     * written to the disk, and replaces the one before. Later where that would take more than a twentieth of
     * the time; negative: never. */
    double checkpoint_seconds;
    bool kernels_only; /* for tests: nodes that have code for the processor use their kernels anyway */
    bool native_first; /* on the processor: code that was made of a kernel's text goes before code by hand */
    /* For tests and benchmarks: what nodes use that do several iterations in one dispatch. times 0: what is
     * best; 1: one by one. */
    struct oro_dispatch_shape per_dispatch;
    /* For tests, on the processor: every kernel of gles_shaders runs by all methods that there are, on the
     * same buffers. The work goes on with what the last of them gave that is there: but for tests of code
     * that is made of kernels, code by hand. */
    void (*compare)(void *user, const struct oro_methods_compared *comparison);
    bool compare_code_alone; /* no driver runs */
    int compare_times;       /* so often code runs, for the least time that it takes; 0: once */
    /* Results that another process is computing, which shares the cache's folder, are waited for (claim.h).
     */
    bool claims;
    bool require_drained; /* nodes that write a terrain fail if it has a closed depression */
    bool digests; /* full report: digests of first outputs (which costs a download), and unneeded steps in the
                     cache */
    /* NULL, or the processes that evaluate the same plan together, each with a device of the same kind, a
     * cache of the same budgets and the same options: then oro_evaluate is collective. An error or a request
     * to stop on one rank ends it on all, with the same error. Nodes that write files run on rank 0 alone.
     * What the ranks compute is compared where it leaves the device: for files, and with `digests`. A lost
     * device is not rebuilt. */
    struct oro_ranks *ranks;
};

#endif
