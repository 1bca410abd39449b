/*
 * Reading and changing the inputs of nodes. Threads: the window's.
 */
#ifndef ED_SESSION_INPUTS_H
#define ED_SESSION_INPUTS_H

#include "editor/session/session.h"

/* Sets an input of a node of the shown graph to a literal (NULL: its default), as one step or as a part of
 * the open gesture. Failures are reported to the user. */
bool ed_set_input(struct ed_session *session, const char *node, const char *input, const char *value);
/* The same, with the text in the form that documents store (oro_literal_store). */
bool ed_set_stored(struct ed_session *session, const char *node, const char *input, const char *value);
/* The same, with an expression. */
bool ed_set_expression(struct ed_session *session, const char *node, const char *input, const char *value);
/* An input of a node of the shown graph; NULL: there is none of that name. */
const struct oro_input *ed_find_input(const struct ed_session *session, const char *node, const char *name);
/* Writes an input's literal, or else its default, into `text`. False: the input is linked, or has an
 * expression. */
bool ed_input_text(const struct oro_doc_node *node, const struct oro_input *input, char *text, size_t size);
/* The number that an input has by a literal, its default or an expression. */
bool ed_input_number(const struct ed_session *session, const struct oro_doc_node *node,
                     const struct oro_input *input, double *number);
/* The value of an expression in the shown graph. False: `why` (any size) says why there is none. */
bool ed_expression_value(const struct ed_session *session, const char *expr, double *value, char *why,
                         size_t size);
struct ed_expressions *ed_expressions_create(void); /* NULL: memory is out */
void ed_expressions_destroy(struct ed_expressions *expressions);

/* The path under which the document names a file that the user chose for a node. If the document may not read
 * that file, a message says so. The caller frees; NULL: memory is out. */
char *ed_file_named(struct ed_session *session, const char *node, const char *path);
/* A path as a document at `document` should name it: relative where it lies in the document's folder or
 * below, else as it is. Both are absolute and without links (oro_path_true). The caller frees; NULL: memory
 * is out. */
char *ed_path_for(const char *document, const char *path);

/* Whether an input has an effect with the node's other inputs as they are (`when`). */
bool ed_input_applies(const struct oro_node_type *type, const struct oro_doc_node *node,
                      const struct oro_input *input);

#endif
