/*
 * Tiles of other programs, told by a pattern of their names: "alps_x{x}_y{y}.png" is read as the whole, as a
 * manifest is (formats/tiles.h). How many cells neighbours share, and whether y counts from the north or the
 * south, their edges tell.
 */
#ifndef ORO_FORMATS_READER_PATTERN_H
#define ORO_FORMATS_READER_PATTERN_H

#include "formats/format.h"

struct json_t;
/* The manifest of the tiles that the pattern names, which lie in one folder; `options` are for reading them.
 * Fails with ORO_E_FILE (there are none, one is missing or there twice, or they are no squares), ORO_E_USAGE
 * (no such pattern), ORO_E_MEMORY, and as reading a tile does; NULL then. json_decref. */
struct json_t *oro_pattern_manifest(const char *path, const struct oro_read_options *options,
                                    struct oro_error *err);
/* Writes that manifest to `manifest`, which lies in the folder of the tiles, or to NAME.tiles.json there,
 * after the pattern, where it is NULL and there is none yet. `*written` is its path; the caller frees. Fails
 * with ORO_E_WRITE, too. */
bool oro_pattern_write(const char *path, const char *manifest, const struct oro_read_options *options,
                       char **written, struct oro_error *err);
/* Calls `visit` for every tile, in any order. Gives false once `visit` does. */
bool oro_pattern_visit(const char *path, bool (*visit)(void *user, const char *path), void *user);
/* The pattern of a tile's own name: "alps_x{x}_y{y}.png" for "alps_x0_y3.png", the other order likewise.
 * The caller frees; NULL: its name is none of a tile, or memory is out. */
char *oro_pattern_of(const char *path);

#endif
