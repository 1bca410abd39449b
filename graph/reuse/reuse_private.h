/* Shared by group.c, flatten.c and extract.c. */
#ifndef ORO_GRAPH_REUSE_REUSE_PRIVATE_H
#define ORO_GRAPH_REUSE_REUSE_PRIVATE_H

#include "base/memory.h"
#include "graph/derived/assets.h"
#include "graph/document/document_private.h"
#include "graph/reuse/reuse.h"

/* `wanted`, or else `wanted` with the lowest number that makes it free. In `arena`; NULL: memory is out. */
const char *oro_reuse_free_id(const struct oro_document *doc, const char *wanted, struct oro_arena *arena);

/* Declares the namespaces of `scope` on an item that uses them in names. False: memory is out. */
bool oro_reuse_declare(struct oro_item *node, const struct oro_doc_attributes *scope);
/* Adds all namespaces that `from` declares and `to` does not. False: memory is out. */
bool oro_reuse_namespaces(struct oro_doc_attributes *to, const struct oro_doc_attributes *from);

/* Makes entries of the interface that lead to node.socket lead elsewhere, as an edit. */
bool oro_reuse_retarget(struct oro_document *doc, bool is_output, const char *from_node,
                        const char *from_socket, const char *node, const char *socket, struct oro_error *err);

/* Changes the names that the nodes of a document use. Paths and hrefs of files lose `less` ("" or "library/")
 * where they begin with it, and get `folder` in front, unless they are found in a library and not in the
 * folder of the file `place`; hrefs of groups (without '#') change by pairs of old and new names. Changes the
 * document itself, which has no history. */
struct oro_reuse_names {
    const char *folder, *less, *place;
    const char *const *groups; /* old, new, old, new, ...; ends with NULL */
};
bool oro_reuse_rename(struct oro_document *doc, const struct oro_reuse_names *names,
                      const struct oro_registry *registry, struct oro_error *err);

#endif
