/* Shared by the files that hold the operations. */
#ifndef ED_PROJECT_OPERATIONS_PRIVATE_H
#define ED_PROJECT_OPERATIONS_PRIVATE_H

#include "editor/project/area.h"
#include "editor/project/operations.h"
#include "editor/project/project_private.h"

/* The node types at a link's ends, NULL if unknown. */
const struct oro_node_type *ed_node_type(const struct ed_project *project, const struct oro_doc_node *node);
/* The type that an output of a node of `doc` gives; ORO_NONE: there is no such output. */
enum oro_type ed_gives(const struct ed_project *project, const struct oro_document *doc,
                       const struct ed_end *from);
/* Links in an open edit; fails like ed_link. */
bool ed_connect(const struct ed_project *project, struct oro_document *doc, const struct ed_end *from,
                const struct ed_end *to, struct oro_error *err);
/* The input of a node that suits an output best: free rather than linked, of the same name rather than
 * another (`output`; NULL: names do not count), of the same type rather than one that merely accepts it.
 * NULL: none. Valid until the next edit. */
const char *ed_input_for(const struct ed_project *project, const struct oro_document *doc, const char *node,
                         enum oro_type type, const char *output);
/* The first output of a node that fits into an input; NULL: none. Valid until the next edit. */
const char *ed_output_for(const struct ed_project *project, const struct oro_document *doc, const char *node,
                          const struct ed_end *to);
/* Copies of an end's texts, for an end that outlives an edit. */
struct ed_end_text {
    char node[128], socket[128];
};
struct ed_end ed_keep_end(struct ed_end_text *text, const struct ed_end *end);

/* Marks the named nodes, in an array with an item for each node of `doc`. NULL with `err`: one of them does
 * not exist, or memory is out. The caller frees. */
bool *ed_marks_of(const struct oro_document *doc, const struct ed_names *names, struct oro_error *err);

/* Like ed_free_id, but free in both documents; `also` may be NULL. The caller frees. */
char *ed_free_id_in(const struct oro_document *doc, const struct oro_document *also, const char *wanted);
/* The same for a name of a group. */
char *ed_free_group(const struct oro_document *root, const struct oro_document *also, const char *wanted);
/* Marks the frames that hold marked nodes and no others. The caller frees; NULL: memory is out. */
bool *ed_frames_of(const struct oro_document *doc, const bool *nodes);

/* The area of a node, with its size. */
struct ed_area ed_node_box(const struct oro_doc_node *node, const struct ed_sizes *sizes);

/* Fails with ORO_E_MEMORY. */
bool ed_no_memory(struct oro_error *err);

#endif
