/* Inside base/: opening below a folder. */
#ifndef ORO_BASE_WALLS_PRIVATE_H
#define ORO_BASE_WALLS_PRIVATE_H

#include <stdbool.h>

/* Opens what lies there below an open folder, as open() does, and follows no link. */
int oro_open_below(int folder, const char *below, int flags);
/* The same of an absolute path. */
int oro_open_place(const char *place, int flags);

/* What follows the folder's name in the path, or NULL. */
const char *oro_path_below(const char *path, const char *folder);

/* Whether this very name is bound (oro_walls_hold). Then `*file` is what was opened for it, or -1 with errno.
 */
bool oro_bound_open(const char *path, int flags, bool to_write, int *file);

#endif
