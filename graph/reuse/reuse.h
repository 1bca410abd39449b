/*
 * Makes graphs out of nodes, and nodes out of graphs: edits of a document that are undone as one step.
 * Results stay the same, to the bit. All fail like the edits in graph/document/document.h, with the document
 * unchanged.
 */
#ifndef ORO_GRAPH_REUSE_REUSE_H
#define ORO_GRAPH_REUSE_REUSE_H

#include "graph/document/document.h"

/* Moves nodes into a group `name` of the document, and puts a node that uses it in their place; its id is
 * `name`, or `name` with a number. Links into and out of the group become its interface, and so do entries of
 * the document's interface that lead to the nodes. Variables that the nodes use become inputs of the group.
 * Refused if a node outside lies between nodes of the group, and for nodes that write files, which do not run
 * in groups. */
bool oro_reuse_group(struct oro_document *doc, const char *const *nodes, size_t count, const char *name,
                     const struct oro_registry *registry, struct oro_error *err);

/* Replaces a node that is a graph by the nodes of that graph, named "alpine_base", "alpine_fine", ... for a
 * node "alpine"; its variables become variables of the document, such as "alpine_relief". Refused for a muted
 * node. */
bool oro_reuse_flatten(struct oro_document *doc, const char *node, const struct oro_registry *registry,
                       struct oro_error *err);

/* The group as a document of its own, with the groups that it uses and the document's world, to be written
 * into `folder`, which is relative to the document's ("" or "library/"). Paths in it are changed accordingly.
 * NULL: there is no such group, or memory is out. The caller destroys it. */
struct oro_document *oro_reuse_file_of(const struct oro_document *doc, const char *group, const char *folder,
                                       const struct oro_registry *registry, struct oro_error *err);
/* Makes all nodes that use the group use a file instead, and removes the group. */
bool oro_reuse_extract(struct oro_document *doc, const char *group, const char *href, struct oro_error *err);
/* The reverse: the graph that `href` names becomes a group of the document, with the groups that it uses, and
 * all nodes that use the file use the group. */
bool oro_reuse_embed(struct oro_document *doc, const char *href, const char *name,
                     const struct oro_registry *registry, struct oro_error *err);

/* The parts of that: the graph becomes a group that no node uses yet; */
bool oro_reuse_bring(struct oro_document *doc, const char *href, const char *name,
                     const struct oro_registry *registry, struct oro_error *err);
/* and all nodes, also those in groups, that use the graph `from` use `to`. `version`: of its interface; 0:
 * the nodes keep theirs. */
bool oro_reuse_redirect(struct oro_document *doc, const char *from, const char *to, int version,
                        struct oro_error *err);

/* Whether the nodes of a document and of its groups have the same scripts when the document moves from one
 * path to another. oro_reuse_embed and oro_reuse_flatten check this for what they bring in. */
bool oro_reuse_scripts_stay(const struct oro_document *body, const char *from, const char *to,
                            const struct oro_registry *registry, struct oro_error *err);

#endif
