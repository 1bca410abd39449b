/*
 * How a document was last looked at: panes, views with their cameras, the graph that was shown. Kept for each
 * document in the user's folder (XDG_STATE_HOME/orograph/views, else ~/.local/state/...), never in its file,
 * and brought back when it is opened again. What cannot be read or fits no longer is ignored.
 */
#ifndef ED_SHELL_KEPT_VIEWS_H
#define ED_SHELL_KEPT_VIEWS_H

#include "editor/session/session.h"

/* Before another document replaces the open one, and before the program ends. */
void ed_kept_views_keep(const struct ed_session *session);
/* After the document was opened and is shown. */
void ed_kept_views_bring(struct ed_session *session);

#endif
