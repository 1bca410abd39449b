/* Shared by merge.c, which combines, and merge_repair.c, which keeps the result whole. */
#ifndef ORO_GRAPH_REUSE_MERGE_PRIVATE_H
#define ORO_GRAPH_REUSE_MERGE_PRIVATE_H

#include "graph/file/elements_private.h"
#include "graph/reuse/merge.h"

struct oro_merger {
    struct oro_words words;
    struct oro_conflicts *conflicts;
    size_t capacity;
};

/* `owner` is what the conflict is told of; `part` of it, or NULL. */
void oro_merge_conflict(struct oro_merger *merger, const struct oro_element *owner, const char *part,
                        const char *format, ...) ORO_PRINTF(4, 5);
/* Puts `element`, which is a child of `like`, behind what it follows there. */
bool oro_merge_insert(struct oro_merger *merger, struct oro_element *list, struct oro_element *element,
                      const struct oro_element *like);

/* ---- merge_repair.c ---- */
/* Puts back what one side removed and the other uses. */
bool oro_merge_restore(struct oro_merger *merger, struct oro_element *merged, struct oro_element *ours,
                       struct oro_element *theirs);
/* The document of `merged`; what makes it invalid though `ours` and `theirs` are valid is taken back to what
 * `our_elements` say. NULL: `err` says why. */
struct oro_document *oro_merge_finish(struct oro_merger *merger, struct oro_element *merged,
                                      struct oro_element *our_elements, struct oro_element *their_elements,
                                      const struct oro_document *ours, const struct oro_document *theirs,
                                      struct oro_error *err);

#endif
