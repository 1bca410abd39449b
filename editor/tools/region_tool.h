/* Regions that are copied from one place to another. It draws over a pane and takes the mouse where it wants
 * it: true. `free`: nothing else has it. Threads: the window's. */
#ifndef ED_TOOLS_REGION_TOOL_H
#define ED_TOOLS_REGION_TOOL_H

#include "editor/pane/pane.h"

struct ed_region_tool *ed_region_create(void);
void ed_region_destroy(struct ed_region_tool *tool);
void ed_region_reset(struct ed_region_tool *tool);
bool ed_region_busy(const struct ed_region_tool *tool); /* the hand selects or moves */
bool ed_region_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
void ed_region_bar(struct ed_session *session, struct ed_pane *pane);

#endif
