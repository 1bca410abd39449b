/* What a frame of the window is made of. Threads: the window's. */
#ifndef ED_SHELL_FRAME_H
#define ED_SHELL_FRAME_H

#include "editor/session/session.h"

/* `inputs`: presses, releases and notches that were taken so far, for the description. */
void ed_window_draw(struct ed_session *session, uint64_t inputs);

#endif
