/*
 * Graphs that are used as nodes: a node of type "graph" names a file with an interface (href="alpine.oro"),
 * or a group of its document (href="#rock"). The interface becomes a node type like any other, with inputs,
 * ranges, units and documentation. Two more inputs are added, `seed` and `vary`, unless the interface has
 * inputs of these names (docs/file-format.md, "Graphs as nodes").
 *
 * Files are looked for beside the document that names them, in the folders of OROGRAPH_PATH, and in the
 * library that is installed with the program (graph/derived/paths.h). Each file is read once, and read again
 * when it has changed and oro_assets_refresh is called. While a document is edited, working copies may stand
 * in for the files that it uses (oro_document_stand_in): they are read in their place, as if they lay there.
 */
#ifndef ORO_GRAPH_DERIVED_ASSETS_H
#define ORO_GRAPH_DERIVED_ASSETS_H

#include "graph/document/document.h"

enum {
    ORO_GRAPH_DEPTH_MAX = 32,     /* graphs within graphs */
    ORO_ASSETS_MAX = 1024,        /* different files */
    ORO_ASSET_NODES_MAX = 500000, /* nodes in all files together */
};

struct oro_assets; /* one thread at a time, together with everything that asks for types */

/* Reads a file as the document at `path` and checks it: oro_document_load_from. NULL: `problems` says why. */
typedef struct oro_document *oro_load_fn(const char *file, const char *path,
                                         const struct oro_registry *registry, struct oro_problems *problems);
/* `registry` must outlive the assets; and must name them as its own. `allow_any_path`: files may lie
 * anywhere. NULL: memory is out. */
struct oro_assets *oro_assets_create(const struct oro_registry *registry, oro_load_fn *load,
                                     bool allow_any_path);
void oro_assets_destroy(struct oro_assets *assets); /* NULL is allowed */
/* Looks at all files that were asked for. If one has changed, appeared, disappeared, or is now hidden by
 * another, all are read anew when they are next asked for, and graphs and node types that came from here
 * become invalid. Returns whether that happened. Not to be called while a plan is made. NULL is allowed. */
bool oro_assets_refresh(struct oro_assets *assets);
/* From now on, what stands in for files of `doc`, which need not outlive this, does so for graphs, too,
 * however deep they are used. Invalidates, returns and is allowed as oro_assets_refresh, and if memory is
 * out, the files themselves are read. */
bool oro_assets_stand_in(struct oro_assets *assets, const struct oro_document *doc);

/* A graph that is used as a node. `root` holds the groups that its nodes name: for a file's graph the same
 * document, for a group the document that contains it. */
struct oro_graph {
    const struct oro_document *doc, *root;
};

bool oro_node_is_graph(const struct oro_doc_node *node);
/* The graph that a node of `root`, or of one of its groups, stands for. Valid until the next edit of `root`.
 * ORO_E_FILE: there is no such file. ORO_E_DOCUMENT: it is not a valid graph. ORO_E_LIMIT: it exceeds one of
 * the limits above, or contains itself, in which case the text shows the cycle. */
bool oro_graph_find(const struct oro_registry *registry, const struct oro_document *root,
                    const struct oro_doc_node *node, struct oro_graph *graph, struct oro_error *err);
/* The node type that the graph's interface defines; fails as oro_graph_find. */
const struct oro_node_type *oro_graph_type(const struct oro_registry *registry, const struct oro_graph *graph,
                                           struct oro_error *err);
/* The type of any node: from the registry, its graph, or its script. NULL: unknown; `err` is filled as by
 * oro_graph_find and oro_script_type, and with ORO_E_DOCUMENT where nothing has that name. */
const struct oro_node_type *oro_type_of(const struct oro_registry *registry, const struct oro_document *root,
                                        const struct oro_doc_node *node, struct oro_error *err);

/* The type of a node that is not a graph, in a document at `document_path`. */
const struct oro_node_type *oro_type_at(const struct oro_registry *registry, const char *document_path,
                                        const struct oro_doc_node *node, struct oro_error *err);
/* The type of that name: built in, or a script that a document at `document_path` can use. Fails likewise. */
const struct oro_node_type *oro_type_named(const struct oro_registry *registry, const char *document_path,
                                           const char *id, struct oro_error *err);

/* The type of an output's result. If the output gives whatever its node is linked to (ORO_ANY), it is the
 * type of that link, or ORO_ANY without a link. If the node is muted, it is the type of what the node lets
 * through (graph/derived/mute.h), or the output's own type where that is nothing. `doc` holds the node,
 * `root` its groups. */
enum oro_type oro_output_type(const struct oro_registry *registry, const struct oro_graph *graph,
                              const struct oro_doc_node *node, const struct oro_output *output);

/* The present name of an input or output: its own, or the one that replaced it (`was`). NULL: there is
 * none. */
const char *oro_graph_renamed(const struct oro_document *doc, bool is_output, const char *name);

/* Whether every graph has an input of this name besides those of its interface: `seed` and `vary`. */
bool oro_graph_is_standard(const char *name);
/* Whether the interface has an input of exactly this name. */
bool oro_graph_has_input(const struct oro_document *doc, const char *name);

/* The seed of a node within a graph that is used with `seed`; 0: the node's own seed. */
int oro_seed_within(int seed, int own);
/* The seed that one use of a graph gives to the nodes within: its `seed`, mixed with the node's id if `vary`
 * is set.
 */
int oro_seed_of_use(int seed, bool vary, const char *id);

#endif
