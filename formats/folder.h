/*
 * Inside formats/: what is written as a folder of files, or into one before it gets its names. A folder that
 * is there already gives way only if it holds a Zarr array and nothing else.
 */
#ifndef ORO_FORMATS_FOLDER_H
#define ORO_FORMATS_FOLDER_H

#include <stdbool.h>

#include "base/error.h"

/* Makes a folder of a new name beside `path`. The caller frees the name; NULL: ORO_E_WRITE, ORO_E_MEMORY. */
char *oro_folder_make(const char *path, struct oro_error *err);

/* Whether a folder could be given that name, as oro_file_may_write tells of files. */
bool oro_folder_may_write(const char *path, struct oro_error *err);

/* Has all of the folder `temporary` on the disk; `path`, which it will be called or lie beside, is for
 * messages. Fails with ORO_E_WRITE, ORO_E_MEMORY. */
bool oro_folder_sync_files(const char *temporary, const char *path, struct oro_error *err);
/* The same, and looks once more whether it could be called `path`. Fails
 * with ORO_E_WRITE, ORO_E_MEMORY. */
bool oro_folder_settle(const char *temporary, const char *path, struct oro_error *err);

/* Removes a folder with all that is in it, as far as three levels down. */
void oro_folder_remove(const char *path);

/* FOLDER/NAME. The caller frees; NULL: memory is out. */
char *oro_folder_path(const char *folder, const char *name);

#endif
