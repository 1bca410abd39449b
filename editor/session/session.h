/*
 * The session: the state that all parts of the window share, such as the open project, the selection, what
 * the views show, and messages.
 *
 * Each part (canvas, inspector, views, panels) is drawn once a frame with the session as its argument. It
 * changes the document through editor/project/, and reads results from editor/live/. Nothing in a frame
 * waits. A part knows no other part: it reaches them through `services`, or by commands
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
struct ed_comparison;

struct ed_session_options {
    const char *shader_dir;
    int device; /* or ORO_DEVICE_ANY */
    bool allow_any_path;
    void (*wake)(void *); /* lets the window draw a frame; from any thread */
};

/* A question to the file chooser: `done` is called once, with the path, or with NULL if the user cancelled;
 * never from within the call that asks. */
struct ed_file_question {
    const char *title;
    bool save;                     /* a name for a new file; asks before replacing one */
    const char *folder;            /* where it begins; NULL: the last one, else the document's */
    const char *name;              /* at first, of a new file */
    const char *const *extensions; /* ".oro", ..., ends with NULL; NULL: all */
    void (*done)(struct ed_session *session, const char *path, void *user);
    void *user;
};

/* What of a document is kept in the user's library. */
enum ed_keep {
    ED_KEEP_DOCUMENT,
    ED_KEEP_NODES,  /* the chosen ones, as a graph */
    ED_KEEP_GRAPH,  /* that a node is: a group, or a file */
    ED_KEEP_SCRIPT, /* that defines a node: of its own, or a file */
    ED_KEEP_PRESET, /* of a node's settings */
};

/* What one part does for another; the shell, which knows them all, fills it in. */
struct ed_services {
    void (*choose_file)(struct ed_session *session, const struct ed_file_question *question);
    /* Opens the search for a node to add, at a place in pixels; the node goes to a place of the document.
     * With `from` (an output) or `to` (an input) it offers what fits, and links it. */
    void (*search_node)(struct ed_session *session, struct ui_vec at, double x, double y,
                        const struct ed_end *from, const struct ed_end *to);
    /* Where a new node goes, in units of the document: left of the node that it is to be linked to, unless
     * that is NULL. */
    void (*find_place)(struct ed_session *session, const char *before, double *x, double *y);
    void (*show_node)(struct ed_session *session, const char *node);   /* in the middle, and chosen */
    void (*reveal_node)(struct ed_session *session, const char *node); /* moves the view just far enough */
    void (*graph_entered)(struct ed_session *session);                 /* another group is shown */
    void (*help)(struct ed_session *session, const char *type);        /* NULL: on the chosen node */
    /* Opens a document; NULL: asks which. If the open one has changes, asks about them first; `ask` only
     * asks, and calls `then` if the user agrees. */
    void (*open)(struct ed_session *session, const char *path, bool as_copy);
    void (*ask)(struct ed_session *session, void (*then)(struct ed_session *session, const char *text),
                const char *text);
    void (*document_replaced)(struct ed_session *session); /* the project holds another document */
    /* Asks under which name something is kept in the user's library, and keeps it. `node`: of the shown
     * graph; NULL where none is meant. */
    void (*keep)(struct ed_session *session, enum ed_keep what, const char *node);
    void (*strokes_to_disk)(struct ed_session *session); /* working copies have all that was painted */
};

struct ed_session {
    struct ed_session_options options;
    const struct ed_services *services;
    const struct ed_command *commands; /* ends with a zeroed one */
    const char *const *script_words;   /* what scripts can call, such as "math.abs"; NULL at the end */
    struct oro_registry registry;      /* of the window's thread */
    struct oro_registry listed;        /* the same for lists of files: it runs no scripts */
    struct oro_log log;
    struct ed_settings settings;
    struct ed_messages messages;
    struct ed_project *project;
    struct ed_safety *safety;
    struct ed_live *live;
    struct ed_build *build;             /* NULL: none was started */
    struct ed_expressions *expressions; /* their values (inputs.c) */
    struct ed_comparison *comparison;   /* of states of the document (comparison.h); NULL: none */
    /* The world as a file says it (world.h); its `crs` is owned. Number 0: not known. */
    struct {
        uint64_t number;
        struct oro_world world;
    } located;
    /* The way from the world's system to degrees (world.c); NULL: there is none. */
    struct oro_degrees *degrees;
    char *degrees_from; /* that system; NULL: nobody has asked */

    /* Private state of the parts. */
    struct ed_canvas *canvas;
    struct ed_inspector *inspector;
    struct ed_views *views;
    struct ed_panels *panels;

    /* What is chosen, in the shown graph. The last one is what the inspector shows. */
    struct ed_names selection;
    /* The node that the views show unless they are pinned; "": none. */
    char viewed[128], viewed_output[128];
    /* The shown node that disappeared, and the node shown in its place: if the former comes back by undo or
     * redo, it is shown again. */
    struct {
        char node[128], output[128], instead[128];
    } lost;
    /* What is being dragged out of the palette, to be dropped on the canvas or a view; type "": nothing. A
     * drop leaves its gesture open for the palette. */
    struct {
        char type[128], href[512];
    } dragged;

    /* How the window is divided (panes.h), and where the parts were drawn last. */
    struct ed_workspace workspace;
    struct ed_arrangement arranged;
    enum ed_pane_part maximised; /* has all of the window; none */
    struct ui_rect panes_in;     /* all that is divided */
    enum ed_pane_part keys_in; /* the keyboard was moved there (F6), and the pointer has rested since; none */
    bool keys_moved;           /* just now: the pane has not taken it yet */
    enum ed_pane_part pressed; /* was clicked last */
    int menu_asked;            /* 1 + the menu to open, by its letter (enum ed_command_place); 0: none */

    /* What keys do in the drag that is under way, for the status line; whoever is dragged says it anew in
     * every frame. */
    char hint[160];

    bool paused;     /* nothing is evaluated */
    uint64_t full;   /* 1 + the revision that is evaluated without the limit of the settings; 0: none */
    bool quit;       /* the user wants to leave */
    bool leaving;    /* leaving was agreed to */
    bool asking;     /* the question whether to save is open: quit waits */
    bool restyle;    /* scale or theme changed: fonts are made anew before the next frame */
    int busy_frames; /* frames still to be drawn without an event, so that widgets settle */
    double now;      /* seconds, of this frame */
    uint64_t frame;
};

/* Frees what the session itself owns: neither the parts nor what is the shell's. */
void ed_session_free(struct ed_session *session);
/* Something will change without an event: keeps drawing for a while. */
void ed_wake(struct ed_session *session);
/* An edit failed: tells the user, in the log and for a moment at the lower edge. */
void ed_failed(struct ed_session *session, const struct oro_error *err);
/* Tells the user of a failure if there was one. */
void ed_tell(struct ed_session *session, bool ok, const struct oro_error *err);
/* The options of the live evaluation and of builds. */
void ed_live_options_of(const struct ed_session *session, struct ed_live_options *options);

/* What is compared, up to date with the document. NULL: nothing is. Valid until the document changes. */
const struct ed_comparison *ed_comparison(struct ed_session *session);
void ed_comparison_end(struct ed_session *session);

/* ---- selection.c */
void ed_select(struct ed_session *session, const char *node, bool add); /* NULL with `add` false: nothing */
void ed_select_all(struct ed_session *session);
bool ed_selected(const struct ed_session *session, const char *node);
/* The node the inspector shows; NULL: none. */
const struct oro_doc_node *ed_selected_node(const struct ed_session *session);
/* Removes nodes that no longer exist; call this after each change of the document. */
void ed_selection_check(struct ed_session *session);
/* Lets the views show an output of a node (NULL: its first that can be shown). */
void ed_look_at(struct ed_session *session, const char *node, const char *output);
/* Lets the views show an output of the shown graph's interface, else the last node with something to see;
 * unlinked sources come last. */
void ed_look_first(struct ed_session *session);
/* Type of a node of the shown graph; NULL: unknown. Kept per revision, so that it is cheap. */
const struct oro_node_type *ed_type_of(const struct ed_session *session, const struct oro_doc_node *node);
/* The first output of a type that views can show; NULL: none. `type` may be NULL. */
const struct oro_output *ed_output_shown(const struct oro_node_type *type);

#endif
