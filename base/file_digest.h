/* Digests of whole files. */
#ifndef ORO_BASE_FILE_DIGEST_H
#define ORO_BASE_FILE_DIGEST_H

#include "base/error.h"
#include "base/hash.h"

/* Of the bytes of an open file from its beginning, as `xxhsum -H2` tells it. Moves no position. Fails with
 * ORO_E_FILE or ORO_E_MEMORY, and calls it `path`. */
bool oro_open_file_digest(int file, const char *path, struct oro_hash *digest, struct oro_error *err);
/* The same by name; of a folder that programs take for one file (oro_path_is_array), that of the names and
 * digests of its files. Fails with ORO_E_FILE or ORO_E_MEMORY. */
bool oro_file_digest_of(const char *path, struct oro_hash *digest, struct oro_error *err);

#endif
