/* The brush, and the layers that are painted. It draws over a pane and takes the mouse where it wants
 * it: true. `free`: nothing else has it. Threads: the window's. */
#ifndef ED_TOOLS_PAINT_TOOL_H
#define ED_TOOLS_PAINT_TOOL_H

#include "editor/pane/pane.h"

struct ed_paint_tool *ed_paint_create(struct ed_project *project);
void ed_paint_destroy(struct ed_paint_tool *tool);
void ed_paint_reset(struct ed_paint_tool *tool);
/* Once a frame, after the panes: writes what was painted. */
void ed_paint_tick(struct ed_session *session);
bool ed_paint_busy(const struct ed_paint_tool *tool);
bool ed_paint_painting(const struct ed_paint_tool *tool); /* a stroke is under way */
bool ed_paint_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free);
/* The bar of the brush, below the toolbar. */
void ed_paint_bar(struct ed_session *session, struct ed_pane *pane);
/* What is being painted, 0..1; NULL: nothing is. */
const struct ed_raster *ed_paint_overlay(struct ed_session *session);
void ed_paint_upload(struct ed_session *session, double seconds);
/* Writes what was painted to its working copies: before a recovery copy or a build. Waits for the disk. */
void ed_paint_flush(struct ed_session *session);
/* ed_project_save, with painted layers: under another name the document gets its own. */
bool ed_paint_save(struct ed_session *session, const char *path, bool over, struct oro_error *err);

#endif
