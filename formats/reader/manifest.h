/*
 * Inside formats/: the manifest of tiles, NAME.tiles.json, read as one heightfield. It is untrusted input: it
 * names files of its own folder only, and must cover the whole exactly.
 */
#ifndef ORO_FORMATS_READER_MANIFEST_H
#define ORO_FORMATS_READER_MANIFEST_H

#include "formats/format.h"

/* As oro_heightfield_read. */
bool oro_manifest_read(const char *path, const struct oro_read_options *options,
                       struct oro_heightfield *field, struct oro_error *err);
/* As oro_heightfield_companions. */
bool oro_manifest_companions(const char *path, bool (*visit)(void *user, const char *path), void *user);

#endif
