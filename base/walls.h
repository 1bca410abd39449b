/*
 * Walls: what this process opens and makes by names from outside stays below folders that were opened at its
 * start. A name is judged where it leads, without links, and that place is then opened below the held folder
 * with no link followed: a folder that is exchanged for a link in between leads nowhere. Without walls every
 * name is opened as it is.
 *
 * Single names can be held to a folder as well: those that documents tell, which were judged by where they
 * lead.
 *
 * A property of the process, as its limits are.
 */
#ifndef ORO_BASE_WALLS_H
#define ORO_BASE_WALLS_H

#include <stdbool.h>

#include "base/error.h"

enum oro_wall {
    ORO_WALL_READ,  /* a folder, or a file, that may be read */
    ORO_WALL_WRITE, /* the same, and in it files may be made */
    /* A folder of the program itself. Names that begin like its name must lead into such a folder, and may be
     * written; other names must not. */
    ORO_WALL_OWN,
};

/* One that does not exist is left out. While no other thread opens files. Fails with ORO_E_MEMORY. */
bool oro_walls_add(enum oro_wall kind, const char *path, struct oro_error *err);
/* From now on they hold, `reading` for what is read as well. */
void oro_walls_raise(bool reading);
/* From now on what this very name is opened for lies below `folder`, which has no link in its own name, or it
 * is not opened: a file that is read, its sidecar PATH.json, what is in it if it is a folder; or, to write, a
 * folder that files are made in. The last folder told counts. Thread-safe. Fails with ORO_E_MEMORY. */
bool oro_walls_hold(const char *path, const char *folder, bool to_write, struct oro_error *err);
void oro_walls_let_go(void);

/* For tests: as if there had never been any. */
void oro_walls_forget(void);

/* Opens what exists, as open() does. -1: errno says why; EACCES: it lies elsewhere. */
int oro_walls_open(const char *path, int flags, bool to_write);

#endif
