/*
 * Notes: small facts that were costly to find out, kept on disk beside the results, by key. They count as
 * files of the cache, and go with them. Trouble with the disk only means that a note is not there.
 */
#ifndef ORO_GRAPH_CACHE_NOTES_H
#define ORO_GRAPH_CACHE_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

enum { ORO_NOTE_MAX = 256 }; /* bytes */

/* `folder` NULL: the user's cache folder. Fills `note` with exactly `size` bytes; false: there is no such
 * note. */
bool oro_note_get(const char *folder, struct oro_hash key, void *note, size_t size);
void oro_note_put(const char *folder, struct oro_hash key, const void *note, size_t size);

#endif
