/* Files of the user's state folder (XDG_STATE_HOME, else ~/.local/state) that belong to a document, named
 * after its place. */
#ifndef ED_PROJECT_KEPT_FILE_H
#define ED_PROJECT_KEPT_FILE_H

#include "editor/project/project.h"

/* "~/.local/state/FOLDER/DIGEST.json" of the open document. The caller frees. NULL: it has no file yet, there
 * is no such place, or memory is out. */
char *ed_kept_file(const struct ed_project *project, const char *folder);
/* Makes the folder for such a file. */
bool ed_kept_folder_make(const char *file, struct oro_error *err);

#endif
