/*
 * Merging two versions of a document that come from a common one, by meaning: edits of different nodes,
 * inputs, variables or entries combine, additions of both are kept, the same change on both sides is one.
 * Where both changed the same, our side's is kept, and that is a conflict.
 *
 * Items keep our order; what only they added stands behind what it follows there. A node, group or variable
 * that one side removed and the other has begun to use stays. If both versions are valid, so is the result:
 * changes of theirs that would break it are left out.
 */
#ifndef ORO_GRAPH_REUSE_MERGE_H
#define ORO_GRAPH_REUSE_MERGE_H

#include "base/text.h"
#include "graph/document/document.h"

/* All texts belong to the list. */
struct oro_conflict {
    const char *group;   /* the group that holds it, or NULL */
    const char *element; /* as in struct oro_difference */
    const char *name, *part;
    const char *text; /* what happened, and what was kept */
};
struct oro_conflicts {
    struct oro_conflict *items;
    size_t count;
    struct oro_arena *arena; /* owns all */
};

/* The result has the path of `ours`; the caller destroys it, and frees `conflicts` with it. NULL: memory is
 * out, or a limit of the format is passed. */
struct oro_document *oro_merge(const struct oro_document *base, const struct oro_document *ours,
                               const struct oro_document *theirs, const struct oro_registry *registry,
                               struct oro_conflicts *conflicts, struct oro_error *err);
void oro_conflicts_free(struct oro_conflicts *conflicts);
/* "group rock: node n: size: ...", in one line. */
void oro_conflict_line(const struct oro_conflict *conflict, struct oro_text *out);

#endif
