/*
 * What is known of files that nodes read, kept as long as the files do not change, so that an import of
 * gigabytes is not read again for every plan: digests of their content, which other files they consist of,
 * and where on Earth they lie.
 *
 * A file counts as unchanged while its stamp (base/file.h) and that of its sidecar are the same. Where the
 * file system's clock is coarse, a file that has just been written may be written again under the same stamp:
 * so nothing is kept of it.
 */
#ifndef ORO_GRAPH_PLAN_FILE_DIGESTS_H
#define ORO_GRAPH_PLAN_FILE_DIGESTS_H

#include "base/file_list.h"
#include "base/hash.h"
#include "graph/type/node.h"

struct oro_file_digests; /* one thread at a time */

/* NULL: memory is out. */
struct oro_file_digests *oro_file_digests_create(void);
void oro_file_digests_destroy(struct oro_file_digests *digests); /* NULL is allowed */

/* Digests of files of at least so many bytes are noted on disk, too (graph/cache/notes.h), for as long as the
 * system says that the file did not change: its device, inode, size and times, one of which no program can
 * set. `folder` as in struct oro_cache_options: NULL is the user's cache, "" none. */
void oro_file_digests_note(struct oro_file_digests *digests, const char *folder, int64_t least);
#define ORO_FILE_NOTED_BYTES ((int64_t)32 << 20) /* which are digested in some milliseconds */

/* In all that follow, `digests` NULL: the file is read. `read` is given the files that the answer depends on;
 * NULL is allowed. */

/* The digest of a file and its sidecar, which can change its meaning (range, size). All of the content
 * counts: it is read once, in blocks, by all processors. */
bool oro_file_digest(struct oro_file_digests *digests, const char *path, struct oro_file_list *read,
                     struct oro_hash *digest, struct oro_error *err);
/* The other files that a file leads to (struct oro_input, `companions`), with their stamps; the caller frees
 * `others`. False: memory is out. */
bool oro_file_companions(struct oro_file_digests *digests, const struct oro_input *input, const char *path,
                         struct oro_file_list *read, struct oro_file_list *others, struct oro_error *err);
/* What the file of a node says about its place: the node type's `site`, with its errors. The caller frees
 * `site->place.crs`. */
bool oro_file_site(struct oro_file_digests *digests, const struct oro_node_type *type, const void *params,
                   struct oro_file_list *read, struct oro_site *site, struct oro_error *err);

#endif
