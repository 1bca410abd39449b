/*
 * Making graphs out of nodes, and nodes out of graphs: edits of a document that are undone as one step.
 * Results stay the same, to the bit. All fail as the edits in graph/document/document.h do, with the document
 * unchanged.
 */
#ifndef ORO_GRAPH_REUSE_REUSE_H
#define ORO_GRAPH_REUSE_REUSE_H

#include "graph/document/document.h"

/* Moves nodes into a group `name` of the document, and puts a node in their place that uses it; its id is
 * `name`, or else `name` with a number. What is linked into the group, and out of it, becomes its interface,
 * and so do entries of the document's interface that lead there. Variables that the nodes use become inputs
 * of the group. Refused where a node outside lies between nodes of the group, and for nodes that write files,
 * which no group runs. */
bool oro_reuse_group(struct oro_document *doc, const char *const *nodes, size_t count, const char *name,
                     const struct oro_registry *registry, struct oro_error *err);

/* Replaces a node that is a graph by the nodes of that graph, "alpine" by "alpine_base", "alpine_fine", ...;
 * its variables become variables of the document, "alpine_relief". Refused for a muted node. */
bool oro_reuse_flatten(struct oro_document *doc, const char *node, const struct oro_registry *registry,
                       struct oro_error *err);

/* The group as a document of its own, with the groups that it uses, and the document's world, to be written
 * into `folder`, seen from the document's ("" or "library/"): what it names there goes by its new path. NULL:
 * there is no such group, or memory is out. The caller destroys it. */
struct oro_document *oro_reuse_file_of(const struct oro_document *doc, const char *group, const char *folder,
                                       const struct oro_registry *registry, struct oro_error *err);
/* Lets all nodes that use the group use a file instead, and removes the group. */
bool oro_reuse_extract(struct oro_document *doc, const char *group, const char *href, struct oro_error *err);
/* The other way round: the graph that `href` names becomes a group of the document, with the groups that it
 * uses itself, and all nodes that use the file use the group. */
bool oro_reuse_embed(struct oro_document *doc, const char *href, const char *name,
                     const struct oro_registry *registry, struct oro_error *err);

/* Whether the nodes of a document, and of its groups, have the same scripts when it moves from one path to
 * another. What is brought by oro_reuse_embed and oro_reuse_flatten has. */
bool oro_reuse_scripts_stay(const struct oro_document *body, const char *from, const char *to,
                            const struct oro_registry *registry, struct oro_error *err);

#endif
