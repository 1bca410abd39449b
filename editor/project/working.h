/*
 * Working copies: while a project is edited, changes to a file that belongs to its document, such as a
 * painted layer, go to a copy in a folder of the session, which stands in for the file
 * (oro_document_stand_in). ed_project_save writes the copies that the document, or a file that was opened in
 * place (opened.h), names over their files, and those of opened files; whatever replaces the document drops
 * them all, and recovery copies (safety.h) list them.
 *
 * A path that is given may have any form. Threads: the window's.
 */
#ifndef ED_PROJECT_WORKING_H
#define ED_PROJECT_WORKING_H

#include <stdbool.h>

#include "base/error.h"

struct ed_workings;

/* Where copies go, made when the first one is needed: `make` gives a folder that exists, which the caller
 * frees, or NULL. Without it, or where it fails, copies go to a folder of the system for temporary files, and
 * a crash loses them. */
void ed_working_in(struct ed_workings *working, char *(*make)(void *user, struct oro_error *err), void *user);
/* The copies stay on the disk when the project is destroyed, for whoever recovers them. */
void ed_working_keep(struct ed_workings *working);

/* Where to write a changed file, and FILE.json for its sidecar. NULL: `err`. Valid until the document is
 * replaced, or the copy is dropped or moved. */
const char *ed_working_place(struct ed_workings *working, const char *path, struct oro_error *err);
/* The copy has been written, and stands in for the file from now on. */
bool ed_working_wrote(struct ed_workings *working, const char *path, struct oro_error *err);
/* The file itself has what the copy would have: nothing stands in for it. */
void ed_working_same(struct ed_workings *working, const char *path);
/* Whether a copy stands in for the file. */
bool ed_working_differs(const struct ed_workings *working, const char *path);
/* The file to read: the copy, or the path itself. */
const char *ed_working_file(const struct ed_workings *working, const char *path);
/* The file was read as it is: if another program changes it from now on, ed_project_save notices. */
void ed_working_read(struct ed_workings *working, const char *path);
/* The copy now stands in for another file. */
bool ed_working_move(struct ed_workings *working, const char *from, const char *to, struct oro_error *err);

#endif
