/* The panes of the window: their heads and menus, and the gaps between them. Threads: the window's. */
#ifndef ED_SHELL_PANES_H
#define ED_SHELL_PANES_H

#include "editor/session/session.h"

void ed_panes_draw(struct ed_session *session, struct ui_rect all);
/* Opens the menu of the active pane. */
void ed_pane_menu_open(struct ed_session *session);

#endif
