/*
 * Excerpts: some nodes of a graph as they are, with everything that they use, as a document of their own; and
 * the way back into a graph. Used for the clipboard and for copies. Unknown content is kept.
 */
#ifndef ORO_GRAPH_REUSE_EXCERPT_H
#define ORO_GRAPH_REUSE_EXCERPT_H

#include "graph/document/document.h"

/* Takes the nodes (`nodes[i]`: whether node i of `doc`) and frames, with the variables that they use, and the
 * groups of `root` (which is `doc`, or holds it as a group). Links from other nodes stay, and lead nowhere.
 * `frames` NULL: none. NULL: memory is out. The caller destroys it. */
struct oro_document *oro_excerpt_take(const struct oro_document *doc, const struct oro_document *root,
                                      const bool *nodes, const bool *frames);

/* Adds all nodes and frames of an excerpt, moved by (dx, dy), as edits. On failure some may have been added:
 * so begin an edit before, and cancel it then. `ids` are the nodes' new ids, in the excerpt's order; they
 * must be free and distinct. Links from nodes that the excerpt lacks are left out, and so are those that
 * would close a cycle. Variables that `doc` already has keep their values. Groups are not added. Fails as
 * edits do. */
bool oro_excerpt_put(struct oro_document *doc, const struct oro_document *excerpt, const char *const *ids,
                     double dx, double dy, struct oro_error *err);

#endif
