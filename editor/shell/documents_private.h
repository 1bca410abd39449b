/* Shared by documents.c and saving.c: the question that is open. */
#ifndef ED_SHELL_DOCUMENTS_PRIVATE_H
#define ED_SHELL_DOCUMENTS_PRIVATE_H

#include "editor/shell/documents.h"

/* Opens a question once when it is to be asked. False: it is not open. */
bool ed_question_begin(bool *ask, const char *title, float width);
/* Does what was to follow the question or the save; does nothing if that was given up. */
void ed_question_proceed(struct ed_session *session);
/* Drops what was to follow. */
void ed_question_give_up(struct ed_session *session);
void ed_document_open_path(struct ed_session *session, const char *path, bool as_copy);

/* ---- offer.c: a recovery copy that is newer than the file that was opened. */
void ed_offer_look(struct ed_session *session);
void ed_offer_draw(struct ed_session *session);

/* ---- saving.c */
/* Saves, then proceeds. */
void ed_document_save_first(struct ed_session *session);
void ed_saving_dropped(void); /* what was to follow was given up */
void ed_saving_look(struct ed_session *session);
void ed_saving_draw(struct ed_session *session);

/* ---- read_only.c */
void ed_read_only_draw(struct ed_session *session); /* the question, while it is open */

#endif
