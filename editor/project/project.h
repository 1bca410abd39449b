/*
 * The project: the document that is being edited, the place in it that is shown, its history and its file.
 *
 * The shown graph is the whole document, a group, or a graph of a file that the document uses. The way to it
 * leads down through nodes that use graphs: each part of the way is the id of a node of type "graph".
 *
 * Threads: the window's.
 */
#ifndef ED_PROJECT_PROJECT_H
#define ED_PROJECT_PROJECT_H

#include "editor/project/foreign_step.h"
#include "graph/document/document.h"
#include "graph/type/registry.h"

struct ed_project;
struct ed_workings;

/* An untitled, empty document. `registry` must outlive it. NULL: memory is out. */
struct ed_project *ed_project_create(const struct oro_registry *registry, struct oro_error *err);
void ed_project_destroy(struct ed_project *project);

/* ---- Contents ---- */

const struct oro_registry *ed_project_registry(const struct ed_project *project);
/* The document itself; or, while the graph of a file that it uses is shown (opened.h), the document of that
 * file, which has the groups and the place for all that is shown. */
const struct oro_document *ed_project_root(const struct ed_project *project);
/* The document itself, whatever is shown. */
const struct oro_document *ed_project_main(const struct ed_project *project);
/* The graph that is shown: the root, or the body of a group. Valid until the next edit. */
const struct oro_document *ed_project_shown(const struct ed_project *project);
/* The name of the group that is shown; "": the root is. */
const char *ed_project_shown_group(const struct ed_project *project);
/* Rises with every change of the root, and when another document is opened. */
uint64_t ed_project_revision(const struct ed_project *project);

size_t ed_project_depth(const struct ed_project *project); /* 0: the root is shown */
/* The id of the node that was entered at `level` (0 is the outermost). */
const char *ed_project_entered(const struct ed_project *project, size_t level);
/* Enters the node, which must be a group of the root, or use a file: else ORO_E_USAGE. Fails as
 * oro_graph_find where that is missing or wrong. */
bool ed_project_enter(struct ed_project *project, const char *node, struct oro_error *err);
/* Goes up to a level; 0 is the root. */
void ed_project_leave(struct ed_project *project, size_t level);

/* ---- Edits ---- * struct oro_document *doc = ed_edit_begin(project, "add node", &err); bool ok = doc &&
 * oro_edit_add_node(doc, ...) && oro_edit_connect(doc, ...); return ed_edit_end(project, ok, &err); * `doc`
 * is the shown graph, to be changed with oro_edit_*; all that is done until the end is one step of the
 * history. If a group is shown, `doc` is a copy that replaces the group at the end. If entries of its
 * interface have been removed, nodes that use the group lose them too. A group that would contain itself is
 * refused with ORO_E_USAGE. Not nested. */
struct oro_document *ed_edit_begin(struct ed_project *project, const char *name, struct oro_error *err);
/* If `ok` is false, takes everything back and returns false (err is left as it is). */
bool ed_edit_end(struct ed_project *project, bool ok, struct oro_error *err);
/* The same for edits of the root, whichever graph is shown: variables, world, the document's interface. */
struct oro_document *ed_edit_begin_root(struct ed_project *project, const char *name, struct oro_error *err);

/* All edits until the end are one step, such as those of a slider while it is dragged. Not nested: beginning
 * another gesture ends the one before. */
void ed_gesture_begin(struct ed_project *project, const char *name);
void ed_gesture_end(struct ed_project *project);
void ed_gesture_cancel(struct ed_project *project); /* takes back what it did */

/* Takes ownership of the step, also where it fails. */
bool ed_project_did(struct ed_project *project, const struct ed_foreign_step *step, struct oro_error *err);

/* The steps of the history, oldest first; those from `done` on were undone. */
size_t ed_project_steps(const struct ed_project *project, size_t *done);
const char *ed_project_step_name(const struct ed_project *project, size_t step);
/* Undoes, or does again, until `done` steps are done. */
bool ed_project_go_to_step(struct ed_project *project, size_t done, struct oro_error *err);
/* NULL: there is nothing. */
const char *ed_project_undo_name(const struct ed_project *project);
const char *ed_project_redo_name(const struct ed_project *project);
bool ed_project_undo(struct ed_project *project, struct oro_error *err);
bool ed_project_redo(struct ed_project *project, struct oro_error *err);

/* ---- Files ---- */

/* "" before it has one: of new documents, and of copies until they are saved. */
const char *ed_project_path(const struct ed_project *project);
/* Whether there is something to save. */
bool ed_project_changed(const struct ed_project *project);

/* Replaces the document by a new one. */
bool ed_project_new(struct ed_project *project, struct oro_error *err);
/* Opens another document; `problems` receives all that is wrong with it. On failure the open one stays. */
bool ed_project_open(struct ed_project *project, const char *path, struct oro_problems *problems,
                     struct oro_error *err);
/* The same, as an untitled document: for examples and assets, which are not to be overwritten. Files that it
 * names are still found, since they are looked for from `path` until it is saved. */
bool ed_project_open_copy(struct ed_project *project, const char *path, struct oro_problems *problems,
                          struct oro_error *err);
/* The working copies of files of the document (working.h). */
struct ed_workings *ed_project_workings(struct ed_project *project);
/* Whether the document as it is, saved at `document`, or a file that was opened in place (opened.h), names
 * the file: the history does not count. True where memory is out. */
bool ed_project_names(const struct ed_project *project, const char *document, const char *path);
/* Saves atomically, together with the working copies that the document names (working.h); a symbolic link
 * stays one. If nothing was changed since reading, writes the very bytes that were read. NULL: under its own
 * name. Fails with ORO_E_WRITE, or with ORO_E_FILE if another program has changed a file since and `over` is
 * false. */
bool ed_project_save(struct ed_project *project, const char *path, bool over, struct oro_error *err);
/* oro_document_replace_texts, of the whole document. */
bool ed_project_replace_texts(struct ed_project *project, const char *const *from, const char *const *to,
                              size_t count, struct oro_error *err);

enum ed_disk { ED_DISK_SAME, ED_DISK_CHANGED, ED_DISK_GONE };
/* What another program did to the file since it was read or written. Cheap: reads the file only if its stamp
 * differs. */
enum ed_disk ed_project_disk(struct ed_project *project);
/* Node types have changed: raises the revision, so that everything derived from them is made anew. */
void ed_project_types_changed(struct ed_project *project);
/* The user knows of the change to the file, and goes on with the open document. */
void ed_project_disk_known(struct ed_project *project);

#endif
