/*
 * A log of frames, for measuring: one line of JSON for each, with the time from the oldest event of the frame
 * until it was handed to the screen, what drawing took on the processor and on the graphics card (timer
 * queries, where there are any), and which revision of the document the first view showed.
 */
#ifndef ED_SHELL_FRAME_LOG_H
#define ED_SHELL_FRAME_LOG_H

#include "editor/session/session.h"

struct ed_frame_log;
/* NULL: the file cannot be written. */
struct ed_frame_log *ed_frame_log_open(const char *path, struct oro_error *err);
void ed_frame_log_close(struct ed_frame_log *log); /* NULL is allowed */
/* An event came; the oldest of a frame counts. */
void ed_frame_log_event(struct ed_frame_log *log);
void ed_frame_log_begin(struct ed_frame_log *log);
/* What is to be drawn is known; what the graphics driver does with it comes next. */
void ed_frame_log_built(struct ed_frame_log *log);
/* All is drawn; the buffers are swapped next. */
void ed_frame_log_drawn(struct ed_frame_log *log);
void ed_frame_log_end(struct ed_frame_log *log, struct ed_session *session);

#endif
