#include "base/missing.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/walls.h"

/* Entries of a folder that are looked at: it may be a large one, and this is for a message alone. */
enum { ENTRIES_MAX = 5000 };

static DIR *open_folder(const char *path, size_t length)
{
    char folder[PATH_MAX];
    if (length >= sizeof folder)
        return NULL;
    snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    int file = oro_walls_open(length > 0 ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, false);
    DIR *open = file < 0 ? NULL : fdopendir(file);
    if (!open && file >= 0)
        close(file);
    return open;
}

/* Whether two names differ in nothing but what follows the last dot. */
static bool same_stem(const char *a, const char *b)
{
    const char *dot = strrchr(a, '.');
    size_t length = dot ? (size_t)(dot - a) : strlen(a);
    return length > 0 && strncmp(a, b, length) == 0 && b[length] == '.' && !strchr(b + length + 1, '.');
}

/* Keeps the nearest of the names seen so far in `best`. */
static void look_at(const char *name, const char *entry, char best[NAME_MAX + 1])
{
    bool hidden = *entry == '.' && *name != '.', first = strcmp(entry, best) < 0;
    const char *const both[] = {first ? entry : best, first ? best : entry}; /* in whatever order they come */
    const char *near = hidden ? NULL : *best ? oro_suggest(name, both, 2) : oro_suggest(name, &entry, 1);
    if (near == entry || (!hidden && !*best && same_stem(name, entry)))
        snprintf(best, NAME_MAX + 1, "%s", entry);
}

const char *oro_near_file(const char *path, char out[ORO_NEAR_SIZE])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char best[NAME_MAX + 1] = "";
    DIR *folder = open_folder(path, (size_t)(name - path));
    const struct dirent *entry;
    for (int i = 0; folder && i < ENTRIES_MAX && (entry = readdir(folder)) != NULL; i++)
        look_at(name, entry->d_name, best);
    if (folder)
        closedir(folder);
    return oro_did_you_mean(*best ? best : NULL, out);
}

bool oro_cannot_read(const char *path, int reason, struct oro_error *err)
{
    char near[ORO_NEAR_SIZE] = "";
    return oro_fail(err, reason == ENOMEM ? ORO_E_MEMORY : ORO_E_FILE, "cannot read '%s': %s%s", path,
                    strerror(reason), reason == ENOENT ? oro_near_file(path, near) : "");
}
