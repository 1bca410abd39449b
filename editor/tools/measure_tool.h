/* Distances, heights and profiles between points that are clicked. It draws over a pane and takes the mouse
 * where it wants it: true. `free`: nothing else has it. Threads: the window's. */
#ifndef ED_TOOLS_MEASURE_TOOL_H
#define ED_TOOLS_MEASURE_TOOL_H

#include "editor/pane/pane.h"

struct ed_measure_tool *ed_measure_create(void);
void ed_measure_destroy(struct ed_measure_tool *tool);
void ed_measure_reset(struct ed_measure_tool *tool);
bool ed_measure_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
/* The diagram of heights; returns how much of the picture's lower part it covers. */
float ed_profile_draw(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw);

/* Whether the pointer is over it. */
bool ed_profile_over(const struct ed_session *session, const struct ed_pane *pane);

#endif
