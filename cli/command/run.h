/*
 * orograph run: a script drives the program. lua/batch/batch.h says what a script may call; the files run_*.c
 * carry it out with the code of the other commands.
 */
#ifndef ORO_CLI_COMMAND_RUN_H
#define ORO_CLI_COMMAND_RUN_H

#include "cli/engine/graph.h"
#include "cli/engine/work.h"
#include "cli/options/places.h"
#include "cli/options/task.h"
#include "formats/format.h"
#include "graph/derived/trust.h"
#include "graph/eval/evaluator.h"
#include "lua/batch/batch.h"

struct cli_run {
    struct cli_places places;
    struct cli_work work; /* its session is opened by the first render */
    struct cli_task task;
    struct oro_trust trust;
    bool inside;            /* the script runs within the program, as it is trusted */
    bool began;             /* it has called something, or printed */
    const char *distrusted; /* a module that it requires is not trusted, so it must end; or NULL */
    bool said_common;       /* that a file is written by every task */
    bool allow_any_path;
    const struct oro_step *wanted; /* while an evaluation runs: the step whose figures are kept */
    struct oro_figure figures[ORO_RESULT_FIGURES_MAX];
    int figure_count;
};

/* A graph that a script holds. */
struct cli_run_graph {
    struct cli_graph graph; /* without overrides and targets */
    uint64_t checked;       /* the last revision known to be valid */
    /* Files that the script named, which the document alone would not be allowed to use. */
    struct oro_override *files;
    size_t file_count, file_capacity;
};
void cli_run_graph_free(struct cli_run_graph *graph);
/* A copy for one piece of work: it shares the document, and has an arena of its own. False: memory is out. */
bool cli_run_scratch(const struct cli_run_graph *graph, struct cli_graph *scratch, struct oro_error *err);
/* Lets it have a document of its own, for edits that the script does not see. */
bool cli_run_scratch_own(struct cli_graph *scratch, struct oro_error *err);
void cli_run_scratch_free(const struct cli_run_graph *graph, struct cli_graph *scratch);

/* A result that a script holds: an output, or a heightfield read from a file. */
struct cli_run_result {
    struct oro_arena *arena;      /* owns the texts */
    struct oro_value *value;      /* of an output; NULL for a heightfield */
    struct oro_heightfield field; /* read from a file; or a view of the value's data, not to be freed */
    struct oro_place world;       /* of an output; in the arena */
    struct oro_output output;     /* name, type, unit */
    const char *path;             /* the file that it was read from, or NULL */
    float *sea;                   /* of a terrain that has one, also that of `field`; or NULL */
    struct oro_write_options options;
    char digest[ORO_HASH_TEXT];
};
void cli_run_result_free(struct cli_run_result *result);

/* The host's functions, by object: fill `call->result`. */
typedef bool cli_run_function(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err);
cli_run_function cli_run_open, cli_run_new, cli_run_set, cli_run_get, cli_run_seed, cli_run_world,
    cli_run_nodes, cli_run_outputs, cli_run_add, cli_run_connect, cli_run_remove, cli_run_output,
    cli_run_save, cli_run_render, cli_run_export, cli_run_read, cli_run_measure, cli_run_write,
    cli_run_hillshade, cli_run_list, cli_run_read_text, cli_run_write_text;

/* For struct cli_work: keeps the figures of the wanted step (run_render.c). */
void cli_run_step_done(void *user, const struct oro_step_report *step);
/* Sets what "NAME=VALUE" or "NODE.INPUT=VALUE" says, in the document (run_set.c). */
bool cli_run_assign(struct cli_run *run, struct cli_run_graph *graph, const char *name, const char *value,
                    struct oro_error *err);
/* The text of a value for a document: numbers shortest. In the arena; NULL: memory is out. */
const char *cli_run_value_text(struct oro_arena *arena, const struct oro_batch_value *value);
/* Forgets the files of an input, or of all inputs of a node if `input` is NULL. */
void cli_run_forget_files(struct cli_run_graph *graph, const char *node, const char *input);
/* Cuts "NODE.INPUT" in two; in the arena. Fails with ORO_E_USAGE. */
bool cli_run_split(struct oro_arena *arena, const char *name, const char **node, const char **socket,
                   struct oro_error *err);
/* Takes "--set " off a message: scripts have no such option. Returns false. */
bool cli_run_reword(struct oro_error *err);
/* Gives a result to a script; takes it over, also on failure. */
bool cli_run_give_result(struct oro_batch_call *call, struct cli_run_result *result, double seconds,
                         const struct oro_figure *figures, int figure_count, struct oro_error *err);

#endif
