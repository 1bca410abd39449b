/*
 * Graphs that are used as nodes: a node of type "graph" names a file with an interface (href="alpine.oro"),
 * or a group of its document (href="#rock"). What the interface says becomes a node type like any other:
 * inputs, ranges, units, documentation. Two inputs come on top, unless the interface has inputs of these
 * names: `seed` and `vary` (docs/file-format.md, "Graphs as nodes").
 *
 * Files are looked for beside the document that names them, in the folders of OROGRAPH_PATH, and in the
 * library that is installed with the program (graph/derived/paths.h). Each is read once, and again when a
 * file has changed and oro_assets_refresh is asked.
 */
#ifndef ORO_GRAPH_DERIVED_ASSETS_H
#define ORO_GRAPH_DERIVED_ASSETS_H

#include "graph/document/document.h"

enum {
    ORO_GRAPH_DEPTH_MAX = 32,     /* graphs within graphs */
    ORO_ASSETS_MAX = 1024,        /* different files */
    ORO_ASSET_NODES_MAX = 500000, /* nodes in all files together */
};

struct oro_assets; /* one thread at a time, with all that asks for types */

/* Reads the document at `path` and checks it: oro_document_load. NULL: `problems` says why. */
typedef struct oro_document *oro_load_fn(const char *path, const struct oro_registry *registry,
                                         struct oro_problems *problems);
/* `registry` must outlive the assets; it will name them as its own. `allow_any_path`: files may lie anywhere.
 * NULL: memory is out. */
struct oro_assets *oro_assets_create(const struct oro_registry *registry, oro_load_fn *load,
                                     bool allow_any_path);
void oro_assets_destroy(struct oro_assets *assets); /* NULL is allowed */
/* Looks at all files that were asked for. Where one changed, came, went, or is hidden by another now, all are
 * read anew when they are asked for: graphs and node types that came from here are gone then. Returns whether
 * that is so. Not while a plan is made. NULL is allowed. */
bool oro_assets_refresh(struct oro_assets *assets);

/* A graph that is used as a node. The groups that its nodes name are those of `root`: for a file's graph the
 * same document, for a group the document that holds it. */
struct oro_graph {
    const struct oro_document *doc, *root;
};

bool oro_node_is_graph(const struct oro_doc_node *node);
/* The graph that a node of `root`, or of one of its groups, is. Valid until the next edit of `root`.
 * ORO_E_FILE: it is not there. ORO_E_DOCUMENT: it is no valid graph. ORO_E_LIMIT: it passes one of the limits
 * above, or contains itself, and the text tells the way. */
bool oro_graph_find(const struct oro_registry *registry, const struct oro_document *root,
                    const struct oro_doc_node *node, struct oro_graph *graph, struct oro_error *err);
/* The node type that its interface makes of it; fails as oro_graph_find. */
const struct oro_node_type *oro_graph_type(const struct oro_registry *registry, const struct oro_graph *graph,
                                           struct oro_error *err);
/* Of any node: that of the registry, of its graph, or of its script. NULL: unknown; `err` is filled as by
 * oro_graph_find and oro_script_type, and with ORO_E_DOCUMENT where there is nothing of that name. */
const struct oro_node_type *oro_type_of(const struct oro_registry *registry, const struct oro_document *root,
                                        const struct oro_doc_node *node, struct oro_error *err);

/* Of a node that is no graph, in a document at `document_path`. */
const struct oro_node_type *oro_type_at(const struct oro_registry *registry, const char *document_path,
                                        const struct oro_doc_node *node, struct oro_error *err);
/* The type of that name, built in or a script that a document at `document_path` can use; fails likewise. */
const struct oro_node_type *oro_type_named(const struct oro_registry *registry, const char *document_path,
                                           const char *id, struct oro_error *err);

/* The type of what an output gives: of one that gives what it takes (ORO_ANY) that of what is linked, which
 * may stay ORO_ANY where nothing is; of one of a muted node that of what is passed on (graph/derived/mute.h),
 * or its own where nothing is. `doc` holds the node, `root` its groups. */
enum oro_type oro_output_type(const struct oro_registry *registry, const struct oro_graph *graph,
                              const struct oro_doc_node *node, const struct oro_output *output);

/* The name that an input or output has now: its own, or that which replaced it (`was`). NULL: none has it. */
const char *oro_graph_renamed(const struct oro_document *doc, bool is_output, const char *name);

/* Whether every graph has an input of this name besides those of its interface: `seed` and `vary`. */
bool oro_graph_is_standard(const char *name);
/* Whether the interface has an input of exactly this name. */
bool oro_graph_has_input(const struct oro_document *doc, const char *name);

/* The seed of a node inside of a graph that is used with this seed: the node's own for 0. */
int oro_seed_within(int seed, int own);
/* The seed that a use of a graph has for what is within: its `seed`, with the node's id where it is to vary.
 */
int oro_seed_of_use(int seed, bool vary, const char *id);

#endif
