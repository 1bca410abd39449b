#define _GNU_SOURCE /* for O_PATH, and syscall for openat2 */
#include "base/walls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

#include "base/memory.h"
#include "base/walls_private.h"

struct wall {
    enum oro_wall kind;
    char *name;  /* as it was given */
    char *place; /* without links */
    int held;    /* the folder; -1: it is a file */
};

/* A global: walls are the process's. */
static struct {
    struct wall *items;
    size_t count, room;
    bool raised, reading;
} walls;

/* ---- Opening below a folder ---- */

/* Part by part, where the system cannot do it at once. */
static int walk(int folder, const char *below, int flags)
{
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    while (at >= 0) {
        char part[256];
        size_t length = strcspn(below, "/");
        const char *rest = below + length + strspn(below + length, "/");
        if (length >= sizeof part) {
            close(at);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(part, below, length);
        part[length] = '\0';
        int next =
            openat(at, part, *rest ? O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC : flags | O_NOFOLLOW);
        int reason = errno;
        close(at);
        errno = reason;
        if (!*rest)
            return next;
        at = next;
        below = rest;
    }
    return -1;
}

int oro_open_below(int folder, const char *below, int flags)
{
#ifdef SYS_openat2
    struct open_how how = {.flags = (unsigned)flags,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    long file = syscall(SYS_openat2, folder, below, &how, sizeof how);
    if (file >= 0 || (errno != ENOSYS && errno != EPERM))
        return (int)file;
#endif
    return walk(folder, below, flags);
}

int oro_open_place(const char *place, int flags)
{
    int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int file = root < 0 ? -1 : place[1] ? oro_open_below(root, place + 1, flags) : openat(root, ".", flags);
    int reason = errno;
    if (root >= 0)
        close(root);
    errno = reason;
    return file;
}

/* ---- Which folder ---- */

const char *oro_path_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    if (strncmp(path, folder, length) != 0 || (path[length] != '/' && path[length]))
        return NULL;
    return path + length + strspn(path + length, "/");
}

/* Whether the program names a folder of its own. */
static bool is_own(const char *path)
{
    for (size_t i = 0; i < walls.count; i++)
        if (walls.items[i].kind == ORO_WALL_OWN && oro_path_below(path, walls.items[i].name))
            return true;
    return false;
}

static bool serves(const struct wall *wall, bool own, bool to_write)
{
    if (own || wall->kind == ORO_WALL_OWN)
        return own && wall->kind == ORO_WALL_OWN;
    return wall->kind == ORO_WALL_WRITE || !to_write;
}

static int open_in(const struct wall *wall, const char *place, const char *rest, int flags)
{
    if (*rest)
        return oro_open_below(wall->held, rest, flags);
    return wall->held >= 0 ? openat(wall->held, ".", flags) : oro_open_place(place, flags);
}

int oro_walls_open(const char *path, int flags, bool to_write)
{
    int held;
    if (oro_bound_open(path, flags, to_write, &held))
        return held;
    if (!walls.raised || (!to_write && !walls.reading))
        return open(path, flags);
    char *place = realpath(path, NULL);
    if (!place)
        return -1;
    bool own = is_own(path), inside = false;
    int file = -1;
    for (size_t i = 0; !inside && i < walls.count; i++) {
        const struct wall *wall = &walls.items[i];
        const char *rest = serves(wall, own, to_write) ? oro_path_below(place, wall->place) : NULL;
        inside = rest && (wall->held >= 0 || !*rest);
        if (inside)
            file = open_in(wall, place, rest, flags);
    }
    int reason = inside ? errno : EACCES;
    free(place); /* the C library's */
    errno = reason;
    return file;
}

/* ---- Setting them up ---- */

static void forget(struct wall *wall)
{
    if (wall->held >= 0)
        close(wall->held);
    oro_free(wall->name);
    oro_free(wall->place);
}

bool oro_walls_add(enum oro_wall kind, const char *path, struct oro_error *err)
{
    char *place = realpath(path, NULL);
    void *items = walls.items;
    if (!place && errno != ENOMEM)
        return true;
    struct wall wall = {.kind = kind, .name = oro_copy_text(path), .place = oro_copy_text(place), .held = -1};
    if (wall.place)
        wall.held = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(place); /* the C library's */
    bool fits = wall.name && wall.place && oro_reserve(&items, &walls.room, walls.count + 1, sizeof wall);
    walls.items = items;
    if (fits) {
        walls.items[walls.count++] = wall;
        return true;
    }
    forget(&wall);
    return oro_fail(err, ORO_E_MEMORY, "no memory for the folders that may be used");
}

void oro_walls_raise(bool reading)
{
    walls.raised = true;
    walls.reading = reading;
}

void oro_walls_forget(void)
{
    for (size_t i = 0; i < walls.count; i++)
        forget(&walls.items[i]);
    oro_free(walls.items);
    walls.items = NULL;
    walls.count = walls.room = 0;
    walls.raised = walls.reading = false;
    oro_walls_let_go();
}
