/* The colour and shape of each type that links carry, the same on the canvas and in lists. */
#ifndef ED_CANVAS_TYPES_H
#define ED_CANVAS_TYPES_H

#include "editor/ui/ui.h"
#include "graph/type/type.h"

uint32_t ed_type_colour(enum oro_type type);
/* A field is a circle, a vector a diamond, an image a square, an uplift a triangle, a network a hexagon.
 * `filled`: something is linked; else only its outline has the colour. */
void ed_draw_socket(struct ui_draw *draw, enum oro_type type, struct ui_vec centre, float radius,
                    bool filled);
/* The type's shape in any colour. */
void ed_draw_socket_in(struct ui_draw *draw, enum oro_type type, struct ui_vec centre, float radius,
                       bool filled, uint32_t colour);
#endif
