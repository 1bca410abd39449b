/*
 * The parts of the window besides canvas, inspector and views: the palette of node types, the search for what
 * to add, the start screen, the tour, the log, the build, settings, references, the file chooser, the status
 * line. Threads: the window's.
 */
#ifndef ED_PANELS_PANELS_H
#define ED_PANELS_PANELS_H

#include "editor/session/bindings.h"

struct ed_panels *ed_panels_create(void); /* NULL: memory is out */
void ed_panels_destroy(struct ed_panels *panels);

/* ---- Fixed places */
void ed_palette_draw(struct ed_session *session,
                     struct ui_rect rect); /* types by category; dragged to the canvas to add */
void ed_log_draw(struct ed_session *session, struct ui_rect rect);
void ed_status_draw(struct ed_session *session,
                    struct ui_rect rect);              /* one line: progress, device, memory, messages */
bool ed_start_shown(const struct ed_session *session); /* the start screen covers all but the menu */
void ed_start_show(struct ed_session *session, bool show);
/* The path of an example that comes with the program; NULL: it is not there. Valid in this frame. */
const char *ed_start_example(struct ed_session *session, const char *name);
/* Goes back to the document that was open; false: there is none, or it is shown already. */
bool ed_start_leave(struct ed_session *session);
void ed_start_draw(struct ed_session *session, struct ui_rect rect);
/* Opens a recovery copy, and tells how that went. */
bool ed_recover(struct ed_session *session, const struct ed_recovery *recovery);
/* "28 November 2026, 04:20"; returns `out`. */
const char *ed_time_text(int64_t seconds, char *out, size_t size);

/* ---- Floating: all that is open is drawn by one call. */
void ed_panels_draw(struct ed_session *session);
/* Node types have changed: the palette lists them anew. */
void ed_panels_types_changed(struct ed_session *session);
/* Whether a window, dialog or search is open: Escape is for them then, and closes the one that was used last.
 */
bool ed_panels_open(const struct ed_session *session);
/* Whether a dialog or search is open that has all keys to itself. */
bool ed_panels_take_keys(const struct ed_session *session);
/* While the settings ask for a new key of a command, takes it. */
bool ed_bindings_take_key(struct ed_session *session, struct ed_chord key);
/* The search for a node to add (search_node of struct ed_services). */
void ed_add_open(struct ed_session *session, struct ui_vec at, double x, double y, const struct ed_end *from,
                 const struct ed_end *to);
void ed_build_open(struct ed_session *session);
void ed_settings_open(struct ed_session *session);
void ed_keys_open(struct ed_session *session);
void ed_new_script_open(struct ed_session *session);
void ed_trust_open(struct ed_session *session);         /* asks whether the document's scripts are trusted */
void ed_panel_history_open(struct ed_session *session); /* steps, versions, what differs */
void ed_panel_history_keep_version(struct ed_session *session); /* likewise, and asks for a name */
void ed_about_open(struct ed_session *session);
void ed_layouts_open(struct ed_session *session); /* saves, renames and removes layouts of the window */
void ed_tour_start(struct ed_session *session);
/* Help of a node type: its doc, inputs, outputs, paper, example. NULL: of the chosen node's, or all types. */
void ed_help_open(struct ed_session *session, const char *type);
void ed_commands_open(struct ed_session *session); /* search of commands */

/* Asks under which name something is kept in the user's library, and keeps it there (keep of struct
 * ed_services). */
void ed_keep(struct ed_session *session, enum ed_keep what, const char *node);
void ed_keep_chosen(struct ed_session *session); /* the chosen graph or script, else the chosen nodes */
void ed_keep_document(struct ed_session *session);
void ed_keep_preset(struct ed_session *session); /* of the chosen node */

void ed_choose_file(struct ed_session *session, const struct ed_file_question *question);

#endif
