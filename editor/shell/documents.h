/*
 * Opening and saving, with questions where work could be lost. Threads: the window's.
 */
#ifndef ED_SHELL_DOCUMENTS_H
#define ED_SHELL_DOCUMENTS_H

#include "editor/session/session.h"

/* Asks about unsaved changes, if there are any: calls `then` if there are none or the user agrees. `then`
 * owns nothing. */
void ed_document_ask(struct ed_session *session, void (*then)(struct ed_session *session, const char *text),
                     const char *text);
/* Call this when the project holds another document, so that all parts of the window show it. */
void ed_document_show(struct ed_session *session);
void ed_document_new(struct ed_session *session);
/* Begins with a copy of an example, seen in depth. */
void ed_document_begin_with(struct ed_session *session, const char *path);
void ed_document_open(struct ed_session *session, const char *path, bool as_copy); /* path NULL: asks which */
/* Ends the program; asks first if a build runs or there are unsaved changes. */
void ed_document_leave(struct ed_session *session);
void ed_document_save(struct ed_session *session); /* asks for a name if it has none */
void ed_document_save_as(struct ed_session *session);
void ed_document_draw(struct ed_session *session); /* the questions */

/* Reads the scripts and graphs that have changed on disk now, and not only within a second. */
void ed_document_reload_scripts(struct ed_session *session);

#endif
