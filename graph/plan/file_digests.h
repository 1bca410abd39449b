/*
 * Digests of files that nodes read, kept as long as a file does not change, so that an import of hundreds of
 * megabytes is not read again for every plan.
 *
 * A file counts as unchanged while its stamp (base/file.h) and that of its sidecar are the same. Where the
 * file system's clock is coarse, a file that has just been written may be written again under the same stamp:
 * so its digest is not kept.
 */
#ifndef ORO_GRAPH_PLAN_FILE_DIGESTS_H
#define ORO_GRAPH_PLAN_FILE_DIGESTS_H

#include "base/error.h"
#include "base/hash.h"

/* Files younger than this are read each time. */
#define ORO_FILE_SETTLED_SECONDS 3

struct oro_file_digests; /* one thread at a time */

/* NULL: memory is out. */
struct oro_file_digests *oro_file_digests_create(void);
void oro_file_digests_destroy(struct oro_file_digests *digests); /* NULL is allowed */

/* The digest of a file and its sidecar, which can change its meaning (range, size). `digests` NULL: the file
 * is read. */
bool oro_file_digest(struct oro_file_digests *digests, const char *path, struct oro_hash *digest,
                     struct oro_error *err);

#endif
