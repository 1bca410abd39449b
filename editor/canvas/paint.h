/* What the graph is drawn with. Private to editor/canvas/. */
#ifndef ED_CANVAS_PAINT_H
#define ED_CANVAS_PAINT_H

#include "editor/canvas/state.h"

struct ed_paint {
    struct ed_session *session;
    struct ed_canvas *canvas;
    struct ui_draw *draw;
    float scale; /* pixels per unit */
    int detail;  /* 0: boxes, 1: titles, 2: all */
    struct ed_area sees;
};
void ed_paint_background(const struct ed_paint *paint);         /* background.c: grid, frames */
void ed_paint_wires(const struct ed_paint *paint);              /* link.c */
void ed_paint_drags(const struct ed_paint *paint);              /* link.c: over the nodes */
void ed_paint_item(const struct ed_paint *paint, size_t index); /* node.c */
void ed_paint_comparison(const struct ed_paint *paint);         /* comparison.c: over the nodes */
void ed_paint_note(const struct ed_paint *paint, size_t index); /* note.c */
void ed_paint_reroute(const struct ed_paint *paint, size_t index, float alpha);
/* badge.c: badge, time, error of a node. */
/* The state of a node's evaluation; if the node was not evaluated because the document is wrong, the problem
 * that the check found with it. */
void ed_state_of(const struct ed_session *session, const struct ed_item *item, struct ed_node_state *state);
void ed_paint_state(const struct ed_paint *paint, const struct ed_item *item,
                    const struct ed_node_state *state, struct ui_rect title, float alpha);
void ed_seconds_text(double seconds, char *out, size_t size);
struct ui_rect ed_paint_rect(const struct ed_paint *paint, double x, double y, double w, double h);

#endif
