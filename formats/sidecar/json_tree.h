/*
 * Whether a text of JSON may be parsed: a few bytes of it become a tree of hundreds, so the tree is what is
 * limited, and not the text.
 */
#ifndef ORO_FORMATS_SIDECAR_JSON_TREE_H
#define ORO_FORMATS_SIDECAR_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Fails with ORO_E_LIMIT, before anything is allocated, where the values of the text would take more than 400
 * MiB (two million vertices of GeoJSON), or than the budget has left. */
bool oro_json_fits(const char *path, const char *text, size_t size, struct oro_error *err);

#endif
