/*
 * jansson's memory. Where it has none, a value lacks a member or an item, and only the call that should have
 * made it says so. Its allocations go through base/memory.h instead, and those that fail are counted, so that
 * whoever makes a value need not look at every step but once at the end.
 *
 * Any thread; each sees its own failures alone.
 */
#ifndef ORO_FORMATS_SIDECAR_JSON_MEMORY_H
#define ORO_FORMATS_SIDECAR_JSON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

/* A value is whole if this is the same before it is made and afterwards. */
unsigned oro_json_failures(void);

/* json_loadb, which reads beyond its memory, or ends the program, where it finds none for the text of a
 * number, a word or a name. NULL and `*fits` false: memory is out. */
json_t *oro_json_parse(const char *text, size_t size, size_t flags, json_error_t *problem, bool *fits);

/* Whether a text of JSON may be parsed: a few bytes of it become a tree of hundreds, so the tree is what is
 * limited, and not the text. Fails with ORO_E_LIMIT, before anything is allocated, where its values would
 * take more than 400 MiB (two million vertices of GeoJSON), or than the budget has left. */
bool oro_json_fits(const char *path, const char *text, size_t size, struct oro_error *err);

#endif
