/*
 * Digests of files that nodes read, kept while a file stays as it is: an import of hundreds of megabytes is
 * not read for every plan.
 *
 * A file is taken for unchanged while its stamp (base/file.h) and that of its sidecar are the same. A file
 * that was written just now may be written again under the same stamp, where the clock of the file system is
 * coarse: its digest is not kept.
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

/* Of a file with its sidecar, on which its meaning depends too (range, size). `digests` NULL: it is read. */
bool oro_file_digest(struct oro_file_digests *digests, const char *path, struct oro_hash *digest,
                     struct oro_error *err);

#endif
