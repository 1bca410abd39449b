/*
 * The inspector: shows the chosen node with a widget for each input, made from its descriptor; or, if no node
 * is chosen, the document: world, title, variables, interface. Threads: the window's.
 */
#ifndef ED_INSPECTOR_INSPECTOR_H
#define ED_INSPECTOR_INSPECTOR_H

#include "editor/session/session.h"

struct ed_inspector *ed_inspector_create(void);
void ed_inspector_destroy(struct ed_inspector *inspector);
void ed_inspector_draw(struct ed_session *session, struct ui_rect rect);

#endif
