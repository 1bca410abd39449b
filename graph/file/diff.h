/*
 * What differs between two documents, as an artist thinks of it. Compared is what would be written: values
 * that are equal in meaning, values that equal the default, order and formatting are no difference. Comments
 * and unknown content are compared as text. Nodes of the same content under another id are renamed, not
 * removed and added.
 *
 * Threads: any, while nobody edits the documents.
 */
#ifndef ORO_GRAPH_FILE_DIFF_H
#define ORO_GRAPH_FILE_DIFF_H

#include "base/text.h"
#include "graph/document/document.h"

enum oro_difference_kind {
    ORO_DIFFERENCE_ADDED,
    ORO_DIFFERENCE_REMOVED,
    ORO_DIFFERENCE_CHANGED,
    ORO_DIFFERENCE_RENAMED, /* a node: `before` and `after` are its ids */
    ORO_DIFFERENCE_MOVED, /* of a node or frame in the editor, or drawn small there: no part of what the graph
                             is */
};

/* One fact. All texts belong to the list. */
struct oro_difference {
    enum oro_difference_kind kind;
    const char *group;   /* the group that holds it, or NULL */
    const char *element; /* "world", "node", "variable", "in", "out" (of the interface), "comment", ... */
    const char *name;    /* of the node, variable, ...; "" where it has none */
    const char *part;    /* the input or attribute that changed, or NULL: all of it */
    /* As a user reads it: `500`, `"two words"`, `from dem.terrain`, `expr "relief * 2"`, `500 (default)`. Of
     * something that was added or removed: what it is. NULL: nothing. */
    const char *before, *after;
};

/* In the order of the documents; what was removed stands where it was. */
struct oro_differences {
    struct oro_difference *items;
    size_t count;
    struct oro_arena *arena; /* owns all */
};

/* `registry` tells defaults. Fails with ORO_E_MEMORY, or ORO_E_LIMIT for documents that could not be written.
 */
bool oro_diff(const struct oro_document *before, const struct oro_document *after,
              const struct oro_registry *registry, struct oro_differences *differences,
              struct oro_error *err);
void oro_differences_free(struct oro_differences *differences);
/* How many there are besides moves. */
size_t oro_differences_count(const struct oro_differences *differences);

/* "group rock: node n: size: 500 -> 600", in one line, whatever the texts hold. Long texts are cut. */
void oro_difference_line(const struct oro_difference *difference, struct oro_text *out);
/* "added", "changed", ... */
const char *oro_difference_name(enum oro_difference_kind kind);

#endif
