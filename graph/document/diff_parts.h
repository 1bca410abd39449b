/* What things of a document consist of, as names with texts: all that a comparison of documents looks at
 * (diff.c). Texts are the document's, or belong to the arena. */
#ifndef ORO_GRAPH_DOCUMENT_DIFF_PARTS_H
#define ORO_GRAPH_DOCUMENT_DIFF_PARTS_H

#include "base/memory.h"
#include "graph/document/document.h"

enum oro_doc_part_kind {
    ORO_PART_SETTING,
    ORO_PART_INPUT, /* of a node: may have the name of a setting */
    ORO_PART_PLACE, /* in the editor */
};
struct oro_doc_part {
    enum oro_doc_part_kind kind;
    const char *name, *value;
};
struct oro_doc_parts {
    struct oro_doc_part *items;
    size_t count, capacity;
    bool failed; /* memory is out */
};

/* The part of the same kind and name; NULL: there is none. */
const struct oro_doc_part *oro_parts_find(const struct oro_doc_parts *parts, const struct oro_doc_part *like);
/* Changes the part that says where an input is linked from. */
void oro_parts_link(struct oro_arena *arena, struct oro_doc_parts *parts, const char *input, const char *node,
                    const char *output);

void oro_parts_of_about(struct oro_arena *arena, const struct oro_document *doc, struct oro_doc_parts *parts);
void oro_parts_of_world(struct oro_arena *arena, const struct oro_world *world, struct oro_doc_parts *parts);
void oro_parts_of_build(struct oro_arena *arena, const struct oro_doc_build *build,
                        struct oro_doc_parts *parts);
void oro_parts_of_variable(struct oro_arena *arena, const struct oro_doc_variable *variable,
                           struct oro_doc_parts *parts);
void oro_parts_of_port(struct oro_arena *arena, const struct oro_doc_port *port, struct oro_doc_parts *parts);
/* Another place that an input of the interface leads to. */
void oro_parts_add_place(struct oro_arena *arena, const struct oro_doc_port *port,
                         struct oro_doc_parts *parts);
void oro_parts_of_node(struct oro_arena *arena, const struct oro_doc_node *node, struct oro_doc_parts *parts);
void oro_parts_of_frame(struct oro_arena *arena, const struct oro_doc_frame *frame,
                        struct oro_doc_parts *parts);

#endif
