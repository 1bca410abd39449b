/*
 * Events of the window, a frame at a time. What would hide another event of the same frame from the widgets
 * waits for the next one, so that no click and no key is lost where frames are slow.
 */
#ifndef ED_SHELL_EVENTS_H
#define ED_SHELL_EVENTS_H

#include "editor/shell/frame_log.h"
#include "editor/shell/shell.h"

/* Before anything may wake the window. */
bool ed_events_open(struct oro_error *err);
/* Lets the window draw a frame. From any thread; `unused` so that it can be called back. */
void ed_events_wake(void *unused);
/* Takes those of one frame; `log` (or NULL) is told. Waits for the first of them for some milliseconds.
 * False: none came. */
bool ed_events_take(struct ed_shell *shell, struct ed_frame_log *log, int milliseconds);

#endif
