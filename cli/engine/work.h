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
    {                                                                                                        \
        "progress", 0, CLI_CHOICE, AT(work.progress),                                                        \
            .choices = cli_progress_modes,                                                                   \
            .help = "How to show progress on standard error (auto: a bar on a terminal)"                     \
    }
#define CLI_WORK_MEMORY                                                                                      \
    {"memory",                                                                                               \
     0,                                                                                                      \
     CLI_INTEGER,                                                                                            \
     AT(work.memory),                                                                                        \
     "MB",                                                                                                   \
     .min = 1,                                                                                               \
     .max = 1 << 24,                                                                                         \
     .help = "Memory to use, of the device and as much of the host (default: 80 % of what they have)"},      \
        {"host-memory",  0,                                                                                  \
         CLI_INTEGER,    AT(work.host_memory),                                                               \
         "MB",           .min = 1,                                                                           \
         .max = 1 << 24, .help = "Memory of the host to use, where it is not that of --memory"},             \
        {"whole",                                                                                            \
         0,                                                                                                  \
         CLI_INTEGER,                                                                                        \
         AT(work.whole),                                                                                     \
         "N",                                                                                                \
         .min = 32,                                                                                          \
         .max = ORO_WHOLE_MAX,                                                                               \
         .help = "Cut rasters of more than N x N cells into tiles, which need not fit the device"},          \
    {                                                                                                        \
        "tile", 0, CLI_INTEGER, AT(work.tile), "N",                                                          \
            .min = 32, .max = ORO_WHOLE_MAX, .help = "Cells along the side of such a tile, a multiple of 32" \
    }
#define CLI_WORK_DEVICE                                                                                      \
    {"no-cache", 0, CLI_FLAG, AT(work.no_cache), .help = "Neither read nor write the cache on disk"},        \
        {"device",        0,   CLI_TEXT,                                                                     \
         AT(work.device), "N", .help = "A device of 'orograph devices', or 'processor'"},                    \
    {                                                                                                        \
        "shader-dir", 0, CLI_TEXT, AT(work.shader_dir), "DIR",                                               \
            .help = "Read kernels from DIR instead of the program"                                           \
    }

struct cli_work {
    struct oro_log log; /* writes beside the progress */
    struct cli_progress progress;
    struct cli_forecast forecast;
    struct cli_session_options options;
    struct cli_session session;          /* zeroed until it is opened */
    struct oro_evaluator *evaluators[2]; /* the second requires that terrains drain; NULL until used */
    struct oro_evaluator *evaluator;     /* the one that runs, or ran last */
    const struct oro_plan *plan;         /* the same */
    double seconds, deadline;            /* that the work may take, and as oro_now; 0: no limit */
    bool late;                           /* the evaluation was cancelled because of that */
    void (*step_done)(void *user, const struct oro_step_report *step);
    void (*live)(void *user, const struct oro_live *live); /* NULL: nobody watches simulations */
    void *user;
};

/* Neither moves the struct nor opens anything; `ranks` may be NULL. End it in any case, after all values that
 * it gave are released. */
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
