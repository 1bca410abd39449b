/* Read-outs over a pane: status line, values below the pointer, scale bar, compass, progress. */
#ifndef ED_VIEW_READOUT_H
#define ED_VIEW_READOUT_H

#include "editor/pane/pane.h"

void ed_readout_draw(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw);
/* Scale bar above `bottom`, and in depth the compass. */
void ed_scale_draw(const struct ed_pane *pane, struct ui_draw *draw, float bottom);

#endif
