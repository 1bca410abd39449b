/*
 * The program: one window, and the session with the parts that show it. Threads: the window's.
 */
#ifndef ED_SHELL_SHELL_H
#define ED_SHELL_SHELL_H

#include "editor/session/session.h"
#include "editor/shell/events.h"
#include "editor/shell/news.h"

struct SDL_Window;

struct ed_shell_options {
    const char *file;     /* to open; NULL: the start screen */
    const char *describe; /* file for the description of the window; NULL */
    const char *frames;   /* file for a log of frames: seconds from event to frame; NULL */
    const char *events;   /* file of events to play, as if the user did them; NULL (shell/replay.h) */
    int width, height;    /* of the window; 0: as last time */
    float scale;          /* 0: as the settings say */
    bool no_tour;
    struct ed_session_options session;
};

struct ed_shell {
    struct ed_session session;
    struct ed_shell_options options;
    struct SDL_Window *window;
    void *gl;
    struct ed_presses taken;
    struct ed_pressed_key
        waiting;            /* of a command that runs once the field has taken what was typed; 0: none */
    uint64_t waiting_since; /* frame */
    struct ed_news news;
    double active; /* when something happened last */
    bool ended;    /* by a signal: nothing was asked */
};

bool ed_shell_open(struct ed_shell *shell, const struct ed_shell_options *options, struct oro_error *err);
/* Until the user ends it. */
void ed_shell_run(struct ed_shell *shell);
void ed_shell_close(struct ed_shell *shell);

#endif
