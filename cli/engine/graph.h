/*
 * A document as a command works on it: read and checked, with the values of --set and the outputs that are
 * wanted.
 */
#ifndef ORO_CLI_ENGINE_GRAPH_H
#define ORO_CLI_ENGINE_GRAPH_H

#include "base/memory.h"
#include "cli/options/options.h"
#include "graph/derived/assets.h"
#include "graph/plan/plan.h"

/* The registry of the command line: the nodes of the program, graphs as nodes, expressions.
 * `allow_any_path`: graphs may lie anywhere. It must not move while it is used. Call cli_registry_close in
 * any case. */
bool cli_registry_open(struct oro_registry *registry, bool allow_any_path, struct oro_error *err);
void cli_registry_close(struct oro_registry *registry);

/* Reads and checks a graph, which must be valid, and prints all its problems. Graphs that it uses and that
 * are missing are only counted. NULL: `err` is filled. */
struct oro_document *cli_read_graph(const char *path, const struct oro_registry *registry, size_t *missing,
                                    struct oro_error *err);
/* The same, with the problems in `problems`, which the caller frees. */
struct oro_document *cli_read_checked(const char *path, const struct oro_registry *registry,
                                      struct oro_problems *problems, struct oro_error *err);
/* Reads a document whose errors do not matter, and prints nothing. NULL: it is no document at all. */
struct oro_document *cli_read_any(const char *path, const struct oro_registry *registry,
                                  struct oro_error *err);

struct cli_graph {
    struct oro_registry registry;
    struct oro_document *doc;
    struct oro_override *overrides;
    size_t override_count;
    struct oro_target *targets; /* texts belong to `doc` or `arena` */
    size_t target_count;
    bool allow_any_path;
    bool incomplete;         /* some graph is missing, or may fail to be built */
    size_t left_out;         /* targets left out because they need one of those */
    struct oro_arena *arena; /* owns all but `doc` */
};

/* Reads and checks; `set` holds NODE.INPUT=VALUE and VARIABLE=VALUE texts. All problems of the document are
 * printed; `err` then only counts them. Missing graphs are no failure. The graph must not move while it is
 * used. Call cli_graph_close in any case. */
bool cli_graph_open(struct cli_graph *graph, const char *path, const struct cli_list *set,
                    bool allow_any_path, struct oro_error *err);
void cli_graph_close(struct cli_graph *graph);

/* Wants the interface's output of that name, or NODE.OUTPUT; with a NULL name, its only output. */
bool cli_want_output(struct cli_graph *graph, const char *name, struct oro_error *err);
/* The output that a target wants; if it gives whatever type is linked, with the type that it has there. */
bool cli_wanted_output(const struct cli_graph *graph, size_t target, struct oro_output *output,
                       struct oro_error *err);
/* Wants the nodes that write files. Those that need a missing graph are left out, with a message. */
bool cli_want_sinks(struct cli_graph *graph, struct oro_error *err);
/* Wants everything: the interface's outputs and the nodes that write files; where there are none, every
 * node. */
bool cli_want_all(struct cli_graph *graph, struct oro_error *err);

/* Plans what is wanted, with the overrides of `graph` added to `options`. `device` may be NULL. */
struct oro_plan *cli_graph_plan(const struct cli_graph *graph, const struct oro_plan_options *options,
                                struct oro_device *device, struct oro_error *err);

/* Reads --set values into `graph` (overrides.c). ORO_E_USAGE: malformed; ORO_E_DOCUMENT: does not fit the
 * document. */
bool cli_read_overrides(struct cli_graph *graph, const struct cli_list *set, struct oro_error *err);
/* Parts of cli_read_overrides that others use: the type of a node, and an input of it. `item` is what
 * messages call the text: "--set ITEM: ...". NULL: ORO_E_DOCUMENT, with the nearest name. */
const struct oro_node_type *cli_find_type(const struct cli_graph *graph, const char *item, const char *id,
                                          struct oro_error *err);
const struct oro_input *cli_find_input(const struct cli_graph *graph, const char *item, const char *node,
                                       const char *name, struct oro_error *err);
/* Fails, saying that there is no variable and no input of the interface of that name. */
bool cli_unknown_name(const struct oro_document *doc, const char *item, const char *name,
                      struct oro_error *err);

#endif
