/* What lies over the graph: minimap, breadcrumbs, search, fields, menus, tips. Private to editor/canvas/. */
#ifndef ED_CANVAS_OVER_H
#define ED_CANVAS_OVER_H

#include "editor/canvas/state.h"

void ed_minimap_draw(struct ed_session *session); /* minimap.c */
void ed_minimap_drag(struct ed_session *session);
/* Whether the pointer is on the map with no node below. */
bool ed_minimap_pointed(const struct ed_canvas *canvas, const struct ed_hit *hit);
void ed_crumbs_draw(struct ed_session *session);    /* crumbs.c */
void ed_found_draw(struct ed_session *session);     /* search.c */
void ed_text_edit_draw(struct ed_session *session); /* text_edit.c */
void ed_text_edit_open(struct ed_session *session, const char *node, size_t frame);
void ed_context_open(struct ed_session *session); /* menu.c */
void ed_canvas_menu_draw(struct ed_session *session);
void ed_tips_draw(struct ed_session *session);       /* tips.c */
void ed_canvas_describe(struct ed_session *session); /* describe.c */

#endif
