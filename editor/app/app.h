/*
 * The program: one window, one document. What its parts share.
 *
 * Each part (canvas, inspector, views, palette, ...) is drawn once a frame by ed_app_frame, with the app as
 * its argument. It changes the document through editor/project/, and reads results from editor/live/. Nothing
 * in a frame waits.
 *
 * Threads: the window's.
 */
#ifndef ED_APP_APP_H
#define ED_APP_APP_H

#include "editor/app/messages.h"
#include "editor/app/settings.h"
#include "editor/live/build.h"
#include "editor/live/live.h"
#include "editor/project/operations.h"
#include "editor/project/project.h"
#include "editor/project/safety.h"
#include "editor/ui/icons.h"
#include "editor/ui/ui.h"

struct SDL_Window;
struct ed_canvas;
struct ed_inspector;
struct ed_views;
struct ed_panels;

enum { ED_KEYS_MAX = 64 };

struct ed_app_options {
    const char *file;     /* to open; NULL: the start screen */
    const char *describe; /* file for the description of the window; NULL */
    const char *frames;   /* file for a log of frames: seconds from event to frame; NULL */
    const char *events;   /* file of events to play, as if the user did them; NULL (app/replay.h) */
    const char *shader_dir;
    int device;        /* or ORO_GPU_ANY */
    int width, height; /* of the window; 0: as last time */
    float scale;       /* 0: as the settings say */
    bool allow_any_path;
    bool no_tour;
};

struct ed_app {
    struct ed_app_options options;
    struct SDL_Window *window;
    void *gl;
    struct oro_registry registry; /* of the window's thread */
    struct oro_log log;
    struct ed_settings settings;
    struct ed_messages messages;
    struct ed_project *project;
    struct ed_safety *safety;
    struct ed_live *live;
    struct ed_build *build; /* NULL: none was started */

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

    struct ui_rect views_at, canvas_at, inspector_at; /* where they were drawn last; zero: nowhere */

    bool paused;          /* nothing is evaluated */
    uint64_t problems_of; /* number of the check that the problems are of */

    struct ed_key {
        int scancode;
        unsigned modifiers; /* SDL's */
    } keys[ED_KEYS_MAX];    /* pressed since the last frame */
    int key_count;
    uint64_t inputs; /* presses, releases and notches that were taken, for the description */
    bool quit;       /* the user wants to leave */
    bool leaving;    /* and it was agreed to */
    bool ended;      /* by a signal: nothing was asked */
    bool asking;     /* the question whether to save is open: quit waits */
    bool styled;     /* scale or theme changed: fonts are made anew before the next frame */
    int busy_frames; /* frames still to be drawn without an event, so that widgets settle */
    double now;      /* seconds, of this frame */
    double active;   /* when something happened last */
    uint64_t frame;
};

/* ---- app.c */
bool ed_app_open(struct ed_app *app, const struct ed_app_options *options, struct oro_error *err);
/* Until the user ends it. */
void ed_app_run(struct ed_app *app);
void ed_app_close(struct ed_app *app);
/* Something will change without an event: draws on for a while. */
void ed_app_wake(struct ed_app *app);
/* How the live evaluation, and builds, are to be done. */
void ed_live_options_of(const struct ed_app *app, struct ed_live_options *options);

/* ---- frame.c: where things are. */
void ed_app_frame(struct ed_app *app);

/* ---- request.c: what the live thread is asked for. */
void ed_request(struct ed_app *app);

/* ---- selection.c */
void ed_select(struct ed_app *app, const char *node, bool add); /* NULL with `add` false: nothing */
void ed_select_all(struct ed_app *app);
bool ed_selected(const struct ed_app *app, const char *node);
/* The node the inspector shows; NULL: none. */
const struct oro_doc_node *ed_selected_node(const struct ed_app *app);
/* Takes out what is no longer there; after each change of the document. */
void ed_selection_check(struct ed_app *app);
/* Lets the views look at a node's output (NULL: its first that can be shown). */
void ed_look_at(struct ed_app *app, const char *node, const char *output);
/* At what the shown graph gives by its interface, else at the last node that gives something to see: one that
 * is made from others before lone sources. */
void ed_look_first(struct ed_app *app);
/* Type of a node of the shown graph; NULL: unknown. Kept per revision, so that it is cheap. */
const struct oro_node_type *ed_type_of(const struct ed_app *app, const struct oro_doc_node *node);
/* The first output of a type that views can show; NULL: none. `type` may be NULL. */
const struct oro_output *ed_output_shown(const struct oro_node_type *type);

/* ---- documents.c: opening and saving, with questions where work could be lost. */
void ed_document_new(struct ed_app *app);
void ed_document_open(struct ed_app *app, const char *path, bool as_copy);
/* Asks first where there are changes: `then` is called when the user agreed, and owns nothing. */
void ed_document_ask(struct ed_app *app, void (*then)(struct ed_app *app, const char *text),
                     const char *text);
/* Ends the program; asks first where a build runs or there are changes. */
void ed_document_leave(struct ed_app *app);
void ed_document_save(struct ed_app *app); /* asks for a name where it has none */
void ed_document_save_as(struct ed_app *app);
void ed_document_draw(struct ed_app *app); /* the questions */

/* An edit failed: tells the user, in the log and for a moment at the lower edge. */
void ed_failed(struct ed_app *app, const struct oro_error *err);

#endif
