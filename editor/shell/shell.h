/*
 * The program: one window, and the session with the parts that show it. Threads: the window's.
 */
#ifndef ED_SHELL_SHELL_H
#define ED_SHELL_SHELL_H

#include "editor/session/session.h"

struct SDL_Window;

enum { ED_KEYS_MAX = 64 };

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
    struct ed_pressed_key {
        int scancode;
        unsigned modifiers; /* SDL's */
    } keys[ED_KEYS_MAX];    /* pressed since the last frame */
    int key_count;
    struct ed_pressed_key
        waiting;            /* of a command that runs once the field has taken what was typed; 0: none */
    uint64_t waiting_since; /* frame */
    uint64_t inputs;        /* presses, releases and notches that were taken, for the description */
    uint64_t problems_of;   /* number of the check that the session's problems are of */
    uint64_t mended_of;     /* revision for which messages were last looked through */
    char title[320];        /* of the window */
    double active;          /* when something happened last */
    bool ended;             /* by a signal: nothing was asked */
};

/* ---- shell.c */
bool ed_shell_open(struct ed_shell *shell, const struct ed_shell_options *options, struct oro_error *err);
/* Until the user ends it. */
void ed_shell_run(struct ed_shell *shell);
void ed_shell_close(struct ed_shell *shell);

/* ---- frame.c: where things are. */
void ed_window_draw(struct ed_shell *shell);

/* ---- panes.c: the panes of the window, their heads, and the gaps between them. */
void ed_panes_draw(struct ed_session *session, struct ui_rect all);
/* Opens the menu of the active pane. */
void ed_pane_menu_open(struct ed_session *session);

/* ---- news.c: what the live thread has found out, and what the window's title tells. */
void ed_news_take(struct ed_shell *shell);
void ed_news_log(void *session, enum oro_level level, const char *text);

/* ---- request.c: what the live thread is asked for. */
void ed_request_shown(struct ed_session *session);

#endif
