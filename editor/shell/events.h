/*
 * Events of the window, a frame at a time. An event that would hide another of the same frame from the
 * widgets waits for the next frame, so that no click and no key is lost when frames are slow.
 */
#ifndef ED_SHELL_EVENTS_H
#define ED_SHELL_EVENTS_H

#include "editor/shell/frame_log.h"
#include "editor/shell/shell.h"

/* Call this before anything may wake the window. */
bool ed_events_open(struct oro_error *err);
/* Lets the window draw a frame. From any thread; `unused` makes it usable as a callback. */
void ed_events_wake(void *unused);
/* Takes the events of one frame, and tells `log` (or NULL). Waits for the first of them for up to some
 * milliseconds. False: none came. */
bool ed_events_take(struct ed_shell *shell, struct ed_frame_log *log, int milliseconds);

#endif
