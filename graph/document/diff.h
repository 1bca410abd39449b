/*
 * What differs between two documents, told in their own words: which nodes, values and links, variables and
 * entries of the interface were added, removed or changed. Order, formatting and comments do not count.
 *
 * Nodes are the same if they have the same id. One that is gone, and a new one that is equal to it in all but
 * its id, count as renamed, and links that followed it as unchanged.
 */
#ifndef ORO_GRAPH_DOCUMENT_DIFF_H
#define ORO_GRAPH_DOCUMENT_DIFF_H

#include "base/memory.h"
#include "graph/document/document.h"

enum oro_difference_kind {
    ORO_ADDED,
    ORO_REMOVED,
    ORO_CHANGED,
    ORO_RENAMED, /* of a node: `before` and `after` are its ids */
    ORO_MOVED,   /* of a node or frame: to another place in the editor, which changes no result */
    ORO_DIFFERENCE_KINDS,
};

/* What has changed, in the order in which differences are listed. */
enum oro_difference_of {
    ORO_OF_ABOUT,
    ORO_OF_WORLD,
    ORO_OF_VARIABLE,
    ORO_OF_INPUT,  /* of the interface */
    ORO_OF_OUTPUT, /* likewise */
    ORO_OF_NODE,
    ORO_OF_FRAME,
    ORO_OF_BUILD,
    ORO_OF_GROUP, /* as a whole; differences within it follow with its name in `group` */
    ORO_DIFFERENCES_OF,
};

struct oro_difference {
    enum oro_difference_kind kind;
    enum oro_difference_of of;
    const char *group; /* in which group; "": in the document itself */
    const char *name; /* of the node, variable, ..., after the change if it was renamed; "" of the only one */
    /* What of it: an input, "type", "muted", ...; "": all of it was added, removed, renamed or moved. */
    const char *part;
    /* As the document has it: "40", "= relief * 2", "from hills.field"; NULL where it had nothing, and, for a
     * node as a whole, its type. */
    const char *before, *after;
};
struct oro_differences {
    struct oro_difference *items;
    size_t count;
};

/* "added", ...; "node", ... */
const char *oro_difference_kind_name(enum oro_difference_kind kind);
const char *oro_difference_of_name(enum oro_difference_of of);

/* Everything in `differences` belongs to `arena`. False: memory is out. */
bool oro_document_diff(const struct oro_document *before, const struct oro_document *after,
                       struct oro_arena *arena, struct oro_differences *differences, struct oro_error *err);

#endif
