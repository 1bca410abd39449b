/*
 * All that is not canvas, inspector or view: the palette of node types, the search for what to add, the start
 * screen, the tour, the log, the build, settings, references, the file chooser, the status line. Threads: the
 * window's.
 */
#ifndef ED_PANELS_PANELS_H
#define ED_PANELS_PANELS_H

#include "editor/app/app.h"

struct ed_panels *ed_panels_create(struct ed_app *app); /* NULL: memory is out */
void ed_panels_destroy(struct ed_panels *panels);

/* ---- Fixed places */
void ed_palette_draw(struct ed_app *app,
                     struct ui_rect rect); /* types by category; dragged to the canvas to add */
/* While something is dragged out of the palette: its type and href, to be dropped on the canvas; NULL:
 * nothing. */
const char *ed_palette_dragged(const struct ed_app *app, const char **href);
void ed_log_draw(struct ed_app *app, struct ui_rect rect);
void ed_status_draw(struct ed_app *app,
                    struct ui_rect rect);      /* one line: progress, device, memory, messages */
bool ed_start_shown(const struct ed_app *app); /* the start screen covers all but the menu */
void ed_start_show(struct ed_app *app, bool show);
/* Back to the document that was open; false: there is none, or it is seen already. */
bool ed_start_leave(struct ed_app *app);
void ed_start_draw(struct ed_app *app, struct ui_rect rect);

/* ---- Floating: all that is open is drawn by one call. */
void ed_panels_draw(struct ed_app *app);
/* Node types became others: the palette lists them anew. */
void ed_panels_types_changed(struct ed_app *app);
/* Whether a window, dialog or search is open: each closes itself on Escape, the one that was used last. */
bool ed_panels_open(const struct ed_app *app);
/* The search for a node to add, at a place in pixels; the node goes to a place of the document. With `from`
 * (an output) or `to` (an input) it offers what fits, and links it. */
void ed_add_open(struct ed_app *app, struct ui_vec at, double x, double y, const struct ed_end *from,
                 const struct ed_end *to);
void ed_build_open(struct ed_app *app);
void ed_settings_open(struct ed_app *app);
void ed_keys_open(struct ed_app *app);
void ed_about_open(struct ed_app *app);
void ed_tour_start(struct ed_app *app);
/* Help of a node type: its doc, inputs, outputs, paper, example. NULL: of the chosen node's, or all types. */
void ed_help_open(struct ed_app *app, const char *type);
void ed_commands_open(struct ed_app *app); /* search of commands */

/* ---- The file chooser: `done` is called once, with the path, or NULL where the user thought better of it;
 * not from within this call. */
struct ed_file_question {
    const char *title;
    bool save;                     /* a name for a new file; asks before replacing one */
    const char *folder;            /* where it begins; NULL: the last one, else the document's */
    const char *name;              /* at first, of a new file */
    const char *const *extensions; /* ".oro", ..., ends with NULL; NULL: all */
    void (*done)(struct ed_app *app, const char *path, void *user);
    void *user;
};
void ed_choose_file(struct ed_app *app, const struct ed_file_question *question);

#endif
