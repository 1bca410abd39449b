/*
 * What render and run have in common: a device with its cache is opened once, graphs are planned and
 * evaluated on it, and progress is shown. Each adds what it alone does through the functions in struct
 * cli_work.
 */
#ifndef ORO_CLI_ENGINE_WORK_H
#define ORO_CLI_ENGINE_WORK_H

#include "cli/engine/forecast.h"
#include "cli/engine/session.h"
#include "cli/report/progress.h"

struct cli_work_options {
    const char *device, *shader_dir;
    struct cli_integer memory, host_memory, whole, tile;
    int progress; /* enum cli_progress_mode */
    bool no_cache;
};

/* Rows of a table of options, for a member `work`; AT is defined as for other tables. */
#define CLI_WORK_PROGRESS                                                                                    \
    CLI_ROW_CHOICE("progress", work.progress, cli_progress_modes,                                            \
                   "How to show progress on standard error (auto: a bar on a terminal)")
#define CLI_WORK_MEMORY                                                                                      \
    CLI_ROW_INTEGER("memory", work.memory, "MB", 1, 1 << 24,                                                 \
                    "Memory to use, of the device and as much of the host (default: 80 % of what they "      \
                    "have)"),                                                                                \
        CLI_ROW_INTEGER("host-memory", work.host_memory, "MB", 1, 1 << 24,                                   \
                        "Memory of the host to use, where it is not that of --memory"),                      \
        CLI_ROW_INTEGER("whole", work.whole, "N", 32, ORO_WHOLE_MAX,                                         \
                        "Cut rasters of more than N x N cells into tiles, which need not fit the device"),   \
        CLI_ROW_INTEGER("tile", work.tile, "N", 32, ORO_WHOLE_MAX,                                           \
                        "Cells along the side of such a tile, a multiple of 32")
#define CLI_WORK_DEVICE                                                                                      \
    CLI_ROW_FLAG("no-cache", work.no_cache, "Neither read nor write the cache on disk"),                     \
        CLI_ROW_TEXT("device", 0, work.device, "N", "A device of 'orograph devices', or 'processor'"),       \
        CLI_ROW_TEXT("shader-dir", 0, work.shader_dir, "DIR",                                                \
                     "Read kernels from DIR instead of the program")

struct cli_work {
    struct oro_log log; /* writes beside the progress */
    struct cli_progress progress;
    struct cli_forecast forecast;
    struct cli_session_options options;
    struct cli_session session;          /* zeroed until it is opened */
    struct oro_evaluator *evaluators[2]; /* the second requires that terrains drain; NULL until used */
    struct oro_evaluator *evaluator;     /* the one that runs, or ran last */
    const struct oro_plan *plan;         /* that it evaluates; else NULL */
    double seconds, deadline;            /* that the work may take, and as oro_now; 0: no limit */
    bool late;                           /* the evaluation was cancelled because of that */
    void (*step_done)(void *user, const struct oro_step_report *step);
    void (*live)(void *user, const struct oro_live *live); /* NULL: nobody watches simulations */
    void *user;
};

/* Opens nothing yet. The struct must not move while it is used; `ranks` may be NULL. End it in any case,
 * after all values that it gave are released. */
void cli_work_begin(struct cli_work *work, const struct cli_work_options *options, struct oro_ranks *ranks);
void cli_work_end(struct cli_work *work);

/* Evaluates what a plan wants, `values` as for oro_evaluate. The evaluator is made beforehand, the first time
 * that terrains need not, or must, drain: `how` gives what log, progress, forecast, steps and simulations do
 * not. */
bool cli_work_evaluator(struct cli_work *work, const struct oro_evaluator_options *how,
                        struct oro_error *err);
bool cli_work_evaluate(struct cli_work *work, const struct oro_plan *plan, struct oro_value **values,
                       struct oro_error *err);

/* Visits the files that the steps of a plan read and write. Stops where `visit` fails, whose error gets the
 * place in the document. */
typedef bool cli_visit_file(void *user, const struct oro_step *step, const struct oro_input *input,
                            const char *path, struct oro_error *err);
bool cli_work_files(const struct oro_plan *plan, cli_visit_file *visit, void *user, struct oro_error *err);

#endif
