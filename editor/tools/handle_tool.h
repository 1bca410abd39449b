/* Handles of the chosen node, dragged on the map and in depth. It draws over a pane and takes the mouse where
 * it wants it: true. `free`: nothing else has it. Threads: the window's. */
#ifndef ED_TOOLS_HANDLE_TOOL_H
#define ED_TOOLS_HANDLE_TOOL_H

#include "editor/pane/pane.h"

struct ed_handle_tool *ed_handle_create(void);
void ed_handle_destroy(struct ed_handle_tool *tool);
void ed_handle_reset(struct ed_handle_tool *tool);
bool ed_handle_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);

#endif
