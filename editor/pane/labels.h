/* Texts over a picture. Threads: the window's. */
#ifndef ED_PANE_LABELS_H
#define ED_PANE_LABELS_H

#include "editor/pane/pane.h"

/* "812.4 m"; returns `out`. */
const char *ed_quantity(char *out, size_t size, double value, enum oro_unit unit);
/* A chip of text on a dark ground; returns its width. */
float ed_chip(struct ui_draw *draw, struct ui_vec at, const char *text, uint32_t colour);

#endif
