/* The dialog for a picture of a pane, or a film around it. Threads: the window's. */
#ifndef ED_VIEW_PICTURE_DIALOG_H
#define ED_VIEW_PICTURE_DIALOG_H

#include "editor/pane/pane.h"

/* Opens the dialog for a picture of the pane; and draws it. */
void ed_picture_ask(struct ed_session *session, const struct ed_pane *pane);
void ed_picture_dialog(struct ed_session *session);

#endif
