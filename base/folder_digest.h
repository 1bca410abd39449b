/* A folder that programs take for one file, as a Zarr array is (base/file.h: oro_path_is_array). */
#ifndef ORO_BASE_FOLDER_DIGEST_H
#define ORO_BASE_FOLDER_DIGEST_H

#include "base/error.h"
#include "base/hash.h"

/* Calls `visit` for the files in it and in the folders in it, in the order of their names; `name` is that
 * below the folder. Gives false once `visit` does, or with ORO_E_FILE if it holds anything else, such as
 * links, folders further down or very many files. */
bool oro_folder_visit(const char *path,
                      bool (*visit)(void *user, const char *path, const char *name, struct oro_error *err),
                      void *user, struct oro_error *err);

/* Names, sizes and times of all files: the same as long as none of them changes. `*latest`: the second in
 * which the last of them was written. */
bool oro_folder_stamp(const char *path, struct oro_hash *stamp, int64_t *latest, struct oro_error *err);

#endif
