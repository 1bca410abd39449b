/* What is dragged out of the palette over the pane. It draws over a pane and takes the mouse where it wants
 * it: true. `free`: nothing else has it. Threads: the window's. */
#ifndef ED_TOOLS_DROP_TOOL_H
#define ED_TOOLS_DROP_TOOL_H

#include "editor/pane/pane.h"

bool ed_drop_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw);

#endif
