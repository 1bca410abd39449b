/* What the hand does on the canvas. Private to editor/canvas/. */
#ifndef ED_CANVAS_GESTURES_H
#define ED_CANVAS_GESTURES_H

#include "editor/canvas/state.h"

/* ---- input.c: what the mouse does */
void ed_canvas_input(struct ed_session *session);
void ed_canvas_look(struct ed_session *session, size_t item);

/* ---- move.c */
void ed_move_begin(struct ed_session *session); /* of what was pressed */
void ed_move_update(struct ed_session *session);
void ed_move_drop(struct ed_session *session);
void ed_move_cancel(struct ed_session *session);
void ed_choose_drop(struct ed_session *session);
/* What the box holds now, for display. */
struct ed_area ed_drag_box(const struct ed_canvas *canvas);
void ed_corner_update(struct ed_session *session);
void ed_corner_drop(struct ed_session *session);

/* ---- wiring.c */
void ed_wiring_begin(struct ed_session *session, const struct ed_hit *hit);
void ed_wiring_update(struct ed_session *session);
void ed_wiring_drop(struct ed_session *session);
void ed_wiring_cancel(struct ed_session *session);
/* Whether the link that is being drawn could end there; cheap after the first time. */
bool ed_wiring_fits(struct ed_session *session, size_t item, bool output, size_t socket);

/* ---- knife.c */
void ed_knife_update(struct ed_session *session);
void ed_knife_drop(struct ed_session *session);

/* ---- drop.c: things dragged out of the palette */
void ed_drop_update(struct ed_session *session);
/* The link onto which something dropped at a place would be put. */
size_t ed_wire_under(const struct ed_session *session, const struct ed_area *box, size_t but);

#endif
