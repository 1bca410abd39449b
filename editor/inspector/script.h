/* The script of a node, within the document or in a file: shown, edited, and wrong at its own line. */
#ifndef ED_INSPECTOR_SCRIPT_H
#define ED_INSPECTOR_SCRIPT_H

#include "editor/session/session.h"

struct ed_script_edit;
struct ed_script_edit *ed_script_create(void); /* NULL: memory is out */
void ed_script_destroy(struct ed_script_edit *edit);
void ed_script_draw(struct ed_session *session, const struct oro_doc_node *node);
/* Call this at the beginning of a frame: takes what was typed into a script that is no longer shown. */
void ed_script_settle(struct ed_session *session);
/* The line of a script (1 and up) that a message "NAME:LINE: ..." is about, where the script begins at line
 * `first` of NAME; 0: of none. */
size_t ed_script_line_of(const char *message, int first);

/* The file that a node's script is in; "": it has none, or is within the document. */
void ed_script_file(struct ed_session *session, const struct oro_doc_node *node, char path[1024]);
/* In the program that $VISUAL names, else the desktop's. */
void ed_script_open_outside(struct ed_session *session);

#endif
