/*
 * A log of frames, for measuring: one line of JSON each, with the time from the frame's oldest event until
 * the frame was handed to the screen, how long drawing took on the processor and on the graphics card (if it
 * has timer queries), and which revision of the document the first view showed.
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
/* Call this when the frame is built, before it goes to the graphics driver. */
void ed_frame_log_built(struct ed_frame_log *log);
/* Call this when everything is drawn, before buffers are swapped. */
void ed_frame_log_drawn(struct ed_frame_log *log);
void ed_frame_log_end(struct ed_frame_log *log, struct ed_session *session);

#endif
