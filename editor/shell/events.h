/*
 * Events of the window, a frame at a time. An event that would hide another of the same frame from the
 * widgets waits for the next frame, so that no click and no key is lost when frames are slow.
 */
#ifndef ED_SHELL_EVENTS_H
#define ED_SHELL_EVENTS_H

#include "editor/session/session.h"
#include "editor/shell/frame_log.h"

enum { ED_KEYS_MAX = 64 };

/* What was taken for the window's commands. */
struct ed_presses {
    struct ed_pressed_key {
        int scancode;
        unsigned modifiers; /* SDL's */
    } keys[ED_KEYS_MAX];    /* pressed since the last frame */
    int key_count;
    uint64_t inputs; /* presses, releases and notches so far */
};

/* Call this before anything may wake the window. */
bool ed_events_open(struct oro_error *err);
/* Lets the window draw a frame. From any thread; `unused` makes it usable as a callback. */
void ed_events_wake(void *unused);
/* Takes the events of one frame into the session and `taken`, and tells `log` (or NULL). Waits for the first
 * of them for up to some milliseconds. False: none came. */
bool ed_events_take(struct ed_session *session, struct ed_presses *taken, struct ed_frame_log *log,
                    int milliseconds);

#endif
