/*
 * The inspector: what the chosen node is, with a widget for each input, made from its descriptor; without a
 * node, the document: world, title, variables, interface. Threads: the window's.
 */
#ifndef ED_INSPECTOR_INSPECTOR_H
#define ED_INSPECTOR_INSPECTOR_H

#include "editor/app/app.h"

struct ed_inspector *ed_inspector_create(void);
void ed_inspector_destroy(struct ed_inspector *inspector);
void ed_inspector_draw(struct ed_app *app, struct ui_rect rect);

/* Sets an input of a node of the shown graph to a literal (NULL: its default), as one step; within a gesture
 * as a part of it. Failures go to the user. */
bool ed_set_input(struct ed_app *app, const char *node, const char *input, const char *value);
/* The text that an input has: its literal, else its default, into `text`. False: it is linked, or has an
 * expression. */
bool ed_input_text(const struct ed_app *app, const struct oro_doc_node *node, const struct oro_input *input,
                   char *text, size_t size);
/* The number that an input has: of a literal, a default or an expression. */
bool ed_input_number(const struct ed_app *app, const struct oro_doc_node *node, const struct oro_input *input,
                     double *number);

/* The name that the document gives a file that the user chose for a node; a message tells where it is one
 * that the document may not read. The caller frees; NULL: memory is out. */
char *ed_file_named(struct ed_app *app, const char *node, const char *path);

#endif
