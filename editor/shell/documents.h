/*
 * Opening and saving, with questions where work could be lost. Threads: the window's.
 */
#ifndef ED_SHELL_DOCUMENTS_H
#define ED_SHELL_DOCUMENTS_H

#include "editor/session/session.h"

/* Asks first where there are changes: `then` is called when the user agreed, and owns nothing. */
void ed_document_ask(struct ed_session *session, void (*then)(struct ed_session *session, const char *text),
                     const char *text);
/* The project holds another document: all parts of the window show it. */
void ed_document_show(struct ed_session *session);
void ed_document_new(struct ed_session *session);
void ed_document_open(struct ed_session *session, const char *path, bool as_copy); /* path NULL: asks which */
/* Ends the program; asks first where a build runs or there are changes. */
void ed_document_leave(struct ed_session *session);
void ed_document_save(struct ed_session *session); /* asks for a name where it has none */
void ed_document_save_as(struct ed_session *session);
void ed_document_draw(struct ed_session *session); /* the questions */

#endif
