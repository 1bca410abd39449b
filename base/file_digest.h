/* Digests of files: of all of their bytes, or of so few that it does not matter how large they are. */
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

/* A sample of a large file, of ORO_SAMPLED_BYTES or more: its size, and 256 pieces of 16 KiB from its
 * beginning to its end, evenly spread. Of such a folder: the names and sizes of its files, the beginning of
 * those that describe it (.zarray) and of 256 others, spread over their names. It tells files apart that were
 * made anew, but not those where something small was changed. `*large` is false of smaller ones, which have
 * no sample. Fails as those above. */
enum { ORO_SAMPLED_BYTES = 16 << 20 };
bool oro_open_file_sample(int file, const char *path, bool *large, struct oro_hash *sample,
                          struct oro_error *err);
bool oro_file_sample_of(const char *path, bool *large, struct oro_hash *sample, struct oro_error *err);
/* Tests: files are large from so many bytes on; 0: from ORO_SAMPLED_BYTES. While no other thread samples. */
void oro_sample_from(uint64_t bytes);

#endif
