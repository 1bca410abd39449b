/* The picture of a pane, drawn on the graphics card. Threads: the window's. */
#ifndef ED_VIEW_RENDER_H
#define ED_VIEW_RENDER_H

#include "editor/pane/pane.h"

/* Draws into the pane's targets, for at most so many seconds. */
void ed_pane_render(struct ed_session *session, struct ed_pane *pane, double seconds);
/* A part of the same picture, of any size, with renderers of its own: a map, or a scene and, made when it is
 * needed, another for what is right of a wipe. */
struct ed_large {
    int samples; /* of a scene */
    struct ed_map *map;
    struct ed_scene *scene, *second;
    struct ed_target target, target_second;
};
/* True: it is finished. */
bool ed_pane_render_large(struct ed_session *session, struct ed_pane *pane, struct ed_large *large,
                          const struct ed_part *part, double seconds);

#endif
