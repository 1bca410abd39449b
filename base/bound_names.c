/* Names that are bound to the folder that they were judged by. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/walls.h"
#include "base/walls_private.h"

/* Names are found by open addressing; a name that is not used has no folder. */
struct name {
    struct oro_hash key;
    size_t folder; /* its number, from 1 on */
};

/* A global, as walls are; behind a mutex, since documents are opened at any time. */
static struct {
    pthread_mutex_t mutex;
    char **folders; /* without links */
    size_t folder_count, folder_capacity;
    struct name *names;
    size_t name_count, name_capacity; /* a power of two */
} all = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct oro_hash key_of(const char *path, size_t length, bool to_write)
{
    struct oro_hash key = oro_hash_of(path, length);
    key.low ^= to_write;
    return key;
}

/* Where the name is, or would be; there always is a free one. */
static struct name *slot_of(struct name *names, size_t capacity, struct oro_hash key)
{
    size_t at = key.high & (capacity - 1);
    while (names[at].folder && !oro_hash_equal(names[at].key, key))
        at = (at + 1) & (capacity - 1);
    return &names[at];
}

static bool make_room(void)
{
    if (2 * all.name_count < all.name_capacity)
        return true;
    size_t capacity = all.name_capacity ? 2 * all.name_capacity : 64;
    struct name *names = oro_alloc(capacity, sizeof *names);
    for (size_t i = 0; names && i < all.name_capacity; i++)
        if (all.names[i].folder)
            *slot_of(names, capacity, all.names[i].key) = all.names[i];
    if (!names)
        return false;
    oro_free(all.names);
    all.names = names;
    all.name_capacity = capacity;
    return true;
}

/* Its number; 0: memory is out. */
static size_t folder_at(const char *place)
{
    void *folders = all.folders;
    for (size_t i = 0; i < all.folder_count; i++)
        if (strcmp(all.folders[i], place) == 0)
            return i + 1;
    char *copy = oro_copy_text(place);
    bool fits =
        copy && oro_reserve(&folders, &all.folder_capacity, all.folder_count + 1, sizeof *all.folders);
    all.folders = folders;
    if (!fits) {
        oro_free(copy);
        return 0;
    }
    all.folders[all.folder_count++] = copy;
    return all.folder_count;
}

static bool hold(const char *path, const char *place, bool to_write)
{
    size_t number = folder_at(place);
    if (!number || !make_room())
        return false;
    struct oro_hash key = key_of(path, strlen(path), to_write);
    struct name *name = slot_of(all.names, all.name_capacity, key);
    all.name_count += !name->folder;
    *name = (struct name){.key = key, .folder = number};
    return true;
}

bool oro_walls_hold(const char *path, const char *folder, bool to_write, struct oro_error *err)
{
    pthread_mutex_lock(&all.mutex);
    bool ok = hold(path, folder, to_write);
    pthread_mutex_unlock(&all.mutex);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory for the name '%s'", path);
}

static size_t held_by(const char *path, size_t length, bool to_write)
{
    return all.name_capacity ? slot_of(all.names, all.name_capacity, key_of(path, length, to_write))->folder
                             : 0;
}

/* The name itself, that of a sidecar, or of a file in a folder that programs take for one file. */
static size_t find(const char *path, bool to_write)
{
    static const char sidecar[] = ".json";
    size_t length = strlen(path), tail = sizeof sidecar - 1, folder = held_by(path, length, to_write);
    if (!folder && !to_write && length > tail && strcmp(path + length - tail, sidecar) == 0)
        folder = held_by(path, length - tail, to_write);
    for (int up = 0; !folder && !to_write && up < 2; up++) {
        while (length > 0 && path[--length] != '/')
            ;
        folder = held_by(path, length, to_write);
    }
    return folder;
}

bool oro_bound_open(const char *path, int flags, bool to_write, int *file)
{
    pthread_mutex_lock(&all.mutex);
    size_t number = find(path, to_write);
    char *place = number ? realpath(path, NULL) : NULL;
    bool inside = place && oro_path_below(place, all.folders[number - 1]);
    pthread_mutex_unlock(&all.mutex);
    if (place && !inside)
        errno = EACCES;
    *file = inside ? oro_open_place(place, flags) : -1;
    int reason = errno;
    free(place); /* the C library's */
    errno = reason;
    return number > 0;
}

void oro_walls_let_go(void)
{
    pthread_mutex_lock(&all.mutex);
    for (size_t i = 0; i < all.folder_count; i++)
        oro_free(all.folders[i]);
    oro_free(all.folders);
    oro_free(all.names);
    all.folders = NULL;
    all.names = NULL;
    all.folder_count = all.folder_capacity = all.name_count = all.name_capacity = 0;
    pthread_mutex_unlock(&all.mutex);
}
