/* Lines drawn by hand. It draws over a pane and takes the mouse where it wants
 * it: true. `free`: nothing else has it. Threads: the window's. */
#ifndef ED_TOOLS_SKETCH_TOOL_H
#define ED_TOOLS_SKETCH_TOOL_H

#include "editor/pane/pane.h"

struct ed_sketch_tool *ed_sketch_create(void);
void ed_sketch_destroy(struct ed_sketch_tool *tool);
void ed_sketch_reset(struct ed_sketch_tool *tool);
void ed_sketch_tick(struct ed_session *session);        /* once a frame, after the panes */
bool ed_sketch_busy(const struct ed_sketch_tool *tool); /* a stroke is under way */
bool ed_sketch_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
/* The bar of the tool, below the toolbar. */
void ed_sketch_bar(struct ed_session *session, struct ed_pane *pane);

#endif
