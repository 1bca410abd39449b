/*
 * The session: what is open, chosen, shown and said, for all parts of the window.
 *
 * Each part (canvas, inspector, views, panels) is drawn once a frame with the session as its argument. It
 * changes the document through editor/project/, and reads results from editor/live/. Nothing in a frame
 * waits. A part knows no other part: what it wants of one goes through `services`, or is a command
 * (editor/session/commands.h).
 *
 * Threads: the window's.
 */
#ifndef ED_SESSION_SESSION_H
#define ED_SESSION_SESSION_H

#include "editor/live/build.h"
#include "editor/live/live.h"
#include "editor/project/operations.h"
#include "editor/project/project.h"
#include "editor/project/safety.h"
#include "editor/session/messages.h"
#include "editor/session/settings.h"
#include "editor/ui/icons.h"
#include "editor/ui/ui.h"

struct ed_session;
struct ed_canvas;
struct ed_inspector;
struct ed_views;
struct ed_panels;
struct ed_command;
struct ed_expressions;

struct ed_session_options {
    const char *shader_dir;
    int device; /* or ORO_GPU_ANY */
    bool allow_any_path;
    void (*wake)(void *); /* lets the window draw a frame; from any thread */
};

/* A question to the file chooser: `done` is called once, with the path, or NULL where the user thought better
 * of it; not from within the call that asks. */
struct ed_file_question {
    const char *title;
    bool save;                     /* a name for a new file; asks before replacing one */
    const char *folder;            /* where it begins; NULL: the last one, else the document's */
    const char *name;              /* at first, of a new file */
    const char *const *extensions; /* ".oro", ..., ends with NULL; NULL: all */
    void (*done)(struct ed_session *session, const char *path, void *user);
    void *user;
};

/* What one part does for another; the shell, which knows them all, fills it in. */
struct ed_services {
    void (*choose_file)(struct ed_session *session, const struct ed_file_question *question);
    /* Opens the search for a node to add, at a place in pixels; the node goes to a place of the document.
     * With `from` (an output) or `to` (an input) it offers what fits, and links it. */
    void (*search_node)(struct ed_session *session, struct ui_vec at, double x, double y,
                        const struct ed_end *from, const struct ed_end *to);
    /* Where a new node goes, in units of the document; left of what is to take it, unless that is NULL. */
    void (*find_place)(struct ed_session *session, const char *before, double *x, double *y);
    void (*show_node)(struct ed_session *session, const char *node);   /* in the middle, and chosen */
    void (*reveal_node)(struct ed_session *session, const char *node); /* moves no more than it takes */
    void (*graph_entered)(struct ed_session *session);                 /* another group is shown */
    void (*help)(struct ed_session *session, const char *type);        /* NULL: on the chosen node */
    /* Opens a document, NULL: asks which. Where the open one has changes, asks about these first; `ask` does
     * that alone, and calls `then` when the user agreed. */
    void (*open)(struct ed_session *session, const char *path, bool as_copy);
    void (*ask)(struct ed_session *session, void (*then)(struct ed_session *session, const char *text),
                const char *text);
    void (*document_replaced)(struct ed_session *session); /* the project holds another document */
};

struct ed_session {
    struct ed_session_options options;
    const struct ed_services *services;
    const struct ed_command *commands; /* ends with a zeroed one */
    struct oro_registry registry;      /* of the window's thread */
    struct oro_log log;
    struct ed_settings settings;
    struct ed_messages messages;
    struct ed_project *project;
    struct ed_safety *safety;
    struct ed_live *live;
    struct ed_build *build;             /* NULL: none was started */
    struct ed_expressions *expressions; /* their values (inputs.c) */

    /* The parts' own states. */
    struct ed_canvas *canvas;
    struct ed_inspector *inspector;
    struct ed_views *views;
    struct ed_panels *panels;

    /* What is chosen, in the shown graph. The last one is what the inspector shows. */
    struct ed_names selection;
    /* What the views show unless they are pinned: the node that was last looked at; "" none. */
    char viewed[128], viewed_output[128];
    /* The one that went away while it was looked at, and what took its place: should it come back (by undo,
     * by redo), it is looked at again. */
    struct {
        char node[128], output[128], instead[128];
    } lost;
    /* What is being dragged out of the palette, to be dropped on the canvas; type "": nothing. */
    struct {
        char type[128], href[512];
    } dragged;

    struct ui_rect views_at, canvas_at, inspector_at; /* where they were drawn last; zero: nowhere */

    bool paused;     /* nothing is evaluated */
    bool quit;       /* the user wants to leave */
    bool leaving;    /* and it was agreed to */
    bool asking;     /* the question whether to save is open: quit waits */
    bool restyle;    /* scale or theme changed: fonts are made anew before the next frame */
    int busy_frames; /* frames still to be drawn without an event, so that widgets settle */
    double now;      /* seconds, of this frame */
    uint64_t frame;
};

/* Frees all that the session itself owns, which is neither the parts nor the shell's. */
void ed_session_free(struct ed_session *session);
/* Something will change without an event: draws on for a while. */
void ed_wake(struct ed_session *session);
/* An edit failed: tells the user, in the log and for a moment at the lower edge. */
void ed_failed(struct ed_session *session, const struct oro_error *err);
/* Tells of a failure if there was one. */
void ed_tell(struct ed_session *session, bool ok, const struct oro_error *err);
/* How the live evaluation, and builds, are to be done. */
void ed_live_options_of(const struct ed_session *session, struct ed_live_options *options);

/* ---- selection.c */
void ed_select(struct ed_session *session, const char *node, bool add); /* NULL with `add` false: nothing */
void ed_select_all(struct ed_session *session);
bool ed_selected(const struct ed_session *session, const char *node);
/* The node the inspector shows; NULL: none. */
const struct oro_doc_node *ed_selected_node(const struct ed_session *session);
/* Takes out what is no longer there; after each change of the document. */
void ed_selection_check(struct ed_session *session);
/* Lets the views look at a node's output (NULL: its first that can be shown). */
void ed_look_at(struct ed_session *session, const char *node, const char *output);
/* Lets the views look at what the shown graph gives by its interface, else at the last node that gives
 * something to see; lone sources come last. */
void ed_look_first(struct ed_session *session);
/* Type of a node of the shown graph; NULL: unknown. Kept per revision, so that it is cheap. */
const struct oro_node_type *ed_type_of(const struct ed_session *session, const struct oro_doc_node *node);
/* The first output of a type that views can show; NULL: none. `type` may be NULL. */
const struct oro_output *ed_output_shown(const struct oro_node_type *type);

#endif
