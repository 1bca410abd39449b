/*
 * Graphs of files that are opened in place: a node that uses a file is entered like a group, and the file's
 * document is edited. Its edits are steps of the project's history. Until the project is saved they are in
 * working copies (working.h), which every evaluation of the document reads in place of the files; so they are
 * saved, discarded and recovered together with the document.
 *
 * Threads: the window's.
 */
#ifndef ED_PROJECT_OPENED_H
#define ED_PROJECT_OPENED_H

#include "editor/project/operations.h"

/* The file that was entered at a level (0 is the outermost); NULL: a group was. */
const char *ed_project_entered_file(const struct ed_project *project, size_t level);
/* The file whose graph, or one of whose groups, is shown; NULL: it is the document's own. */
const char *ed_project_shown_file(const struct ed_project *project);
/* Whether that file cannot be changed: it comes with the program, or is not writable. Edits fail with
 * ORO_E_USAGE. */
bool ed_project_shown_fixed(const struct ed_project *project);
/* Whether an edit was refused for that reason since this was asked last. */
bool ed_project_was_refused(struct ed_project *project);

/* Once a frame, while nobody holds a node type: writes working copies of what was edited, and reads the types
 * of graphs anew if they have changed, which is returned. `err` is filled if a copy cannot be written; its
 * code is 0 otherwise. */
bool ed_project_settle(struct ed_project *project, struct oro_error *err);

/* The opened files that Save will write. */
bool ed_project_changed_files(const struct ed_project *project, struct ed_names *files);
/* Reads an opened file again, as a step of the history; edits that were not saved are dropped. Does nothing
 * where it was not opened, or is as it was. */
bool ed_project_update_file(struct ed_project *project, const char *path, struct oro_error *err);

/* Adds the documents beside a file, and those of `more`, that use it, but for `except` ("": none). At most
 * 200 are looked at. False: memory is out. */
bool ed_file_users(const char *file, const char *except, const char *const *more, size_t count,
                   struct ed_names *users);

#endif
