/*
 * A document as a command works on it: read, checked, with the values of --set, and the outputs that are
 * wanted.
 */
#ifndef ORO_CLI_GRAPH_H
#define ORO_CLI_GRAPH_H

#include "base/memory.h"
#include "cli/options.h"
#include "graph/plan.h"

struct cli_graph {
    struct oro_document *doc;
    struct oro_override *overrides;
    size_t override_count;
    struct oro_target *targets; /* texts belong to `doc` or `arena` */
    size_t target_count;
    struct oro_arena *arena; /* owns all but `doc` */
};

/* Reads and checks; `set` holds NODE.INPUT=VALUE texts. Problems of the document are printed, all of them;
 * `err` then only counts them. Close in any case. */
bool cli_graph_open(struct cli_graph *graph, const char *path, const struct cli_list *set,
                    struct oro_error *err);
void cli_graph_close(struct cli_graph *graph);

/* The interface's output of that name, or NODE.OUTPUT; with a NULL name its only output. */
bool cli_want_output(struct cli_graph *graph, const char *name, struct oro_error *err);
/* The nodes that write files. */
bool cli_want_sinks(struct cli_graph *graph, struct oro_error *err);
/* Everything: the interface's outputs and the nodes that write files; where there are none, every node. */
bool cli_want_all(struct cli_graph *graph, struct oro_error *err);

/* Plans what is wanted, with the overrides of `graph` added to `options`. `device` may be NULL. */
struct oro_plan *cli_graph_plan(const struct cli_graph *graph, const struct oro_plan_options *options,
                                struct oro_device *device, struct oro_error *err);

/* Reads --set values into `graph` (overrides.c). ORO_E_USAGE: malformed; ORO_E_DOCUMENT: does not fit the
 * document. */
bool cli_read_overrides(struct cli_graph *graph, const struct cli_list *set, struct oro_error *err);

#endif
