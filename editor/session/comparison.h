/*
 * Two states of the document that are compared: a version with the document as it is now, or two versions.
 * The canvas marks what differs, and the history lists it.
 */
#ifndef ED_SESSION_COMPARISON_H
#define ED_SESSION_COMPARISON_H

#include "editor/project/project.h"
#include "graph/document/diff.h"

struct ed_comparison {
    char before_name[160], after_name[160];
    struct oro_document *before, *after; /* `after` NULL: the document as it is */
    struct oro_arena *arena;             /* of: */
    struct oro_differences differences;
    uint64_t revision; /* of the document for which they were found */
};

/* Takes both documents over, even if it fails. `project`: whose document `after` NULL means. */
struct ed_comparison *ed_comparison_create(const struct ed_project *project, struct oro_document *before,
                                           const char *before_name, struct oro_document *after,
                                           const char *after_name, struct oro_error *err);
void ed_comparison_destroy(struct ed_comparison *comparison); /* NULL is allowed */
/* Brings it up to date with the document; its differences are valid until the next time. */
bool ed_comparison_follow(struct ed_comparison *comparison, const struct ed_project *project,
                          struct oro_error *err);

/* How a node of the graph that is shown differs as a whole: ORO_DIFFERENCE_KINDS if it does not. */
enum oro_difference_kind ed_comparison_of_node(const struct ed_comparison *comparison, const char *group,
                                               const char *node);

#endif
