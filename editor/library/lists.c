/* Lists of lines in small files: favourites, and the folders of the library. */
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "editor/library/library.h"
#include "graph/derived/paths.h"

enum { BYTES_MAX = 1 << 17, LINES_MAX = 2000 };

/* Calls `take` for each line that is not empty. */
static void each_line(const char *path, void (*take)(const char *line, size_t length, void *user), void *user)
{
    void *text = NULL;
    size_t size;
    struct stat info;
    if (!path || stat(path, &info) != 0 || !oro_file_read(path, BYTES_MAX, &text, &size, NULL))
        return;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\r\n");
        if (length > 0)
            take(line, length, user);
        line += length + (line[length] != '\0');
    }
    oro_free(text);
}

static bool write_lines(const char *path, char *const *lines, size_t count, struct oro_error *err)
{
    struct oro_text text = {0};
    char *folder = oro_copy_text(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    oro_text_add(&text, "");
    for (size_t i = 0; i < count; i++)
        oro_text_addf(&text, "%s\n", lines[i]);
    if (slash)
        *slash = '\0';
    bool ok = (folder && !text.failed) || oro_fail(err, ORO_E_MEMORY, "no memory to write %s", path);
    ok = ok && oro_make_folders(folder, err) && oro_file_write(path, text.data, text.length, err);
    oro_text_free(&text);
    oro_free(folder);
    return ok;
}

static char *copy_line(const char *line, size_t length)
{
    char *copy = oro_alloc(length + 1, 1);
    if (copy)
        memcpy(copy, line, length);
    return copy;
}

/* ---- Favourites ---- */

static bool add_favourite(struct ed_favourites *favourites, char *key)
{
    void *keys = (void *)favourites->keys;
    bool ok = key && favourites->count < LINES_MAX &&
              oro_reserve(&keys, &favourites->capacity, favourites->count + 1, sizeof *favourites->keys);
    favourites->keys = keys;
    if (ok)
        favourites->keys[favourites->count++] = key;
    else
        oro_free(key);
    return ok;
}

static void take_favourite(const char *line, size_t length, void *user)
{
    add_favourite(user, copy_line(line, length));
}

static char *favourites_file(void)
{
    return oro_user_folder("XDG_STATE_HOME", ".local/state", "orograph/favourites");
}

void ed_favourites_load(struct ed_favourites *favourites)
{
    char *path = favourites_file();
    ed_favourites_free(favourites);
    each_line(path, take_favourite, favourites);
    oro_free(path);
}

static size_t find_favourite(const struct ed_favourites *favourites, const char *key)
{
    size_t i = 0;
    while (i < favourites->count && strcmp(favourites->keys[i], key) != 0)
        i++;
    return i;
}

bool ed_favourite(const struct ed_favourites *favourites, const char *key)
{
    return find_favourite(favourites, key) < favourites->count;
}

bool ed_favourite_set(struct ed_favourites *favourites, const char *key, bool on, struct oro_error *err)
{
    size_t at = find_favourite(favourites, key);
    if ((at < favourites->count) == on)
        return true;
    if (on && !add_favourite(favourites, oro_copy_text(key)))
        return oro_fail(err, ORO_E_LIMIT, "there is no room for one more favourite");
    if (!on) {
        oro_free(favourites->keys[at]);
        memmove(favourites->keys + at, favourites->keys + at + 1,
                (--favourites->count - at) * sizeof *favourites->keys);
    }
    char *path = favourites_file();
    bool ok = path ? write_lines(path, favourites->keys, favourites->count, err)
                   : oro_fail(err, ORO_E_WRITE, "there is no place for favourites: HOME is not set");
    oro_free(path);
    return ok;
}

void ed_favourites_free(struct ed_favourites *favourites)
{
    for (size_t i = 0; i < favourites->count; i++)
        oro_free(favourites->keys[i]);
    oro_free(favourites->keys);
    *favourites = (struct ed_favourites){0};
}

/* ---- Folders ---- */

enum { FOLDERS_MAX = sizeof((struct ed_library_folders *)NULL)->items / sizeof(char *) };
_Static_assert((int)FOLDERS_MAX == ORO_LIBRARY_FOLDERS_MAX, "as many as are looked into");

static void take_folder(const char *line, size_t length, void *user)
{
    struct ed_library_folders *folders = user;
    char *copy = line[0] == '/' && folders->count < FOLDERS_MAX ? copy_line(line, length) : NULL;
    if (copy)
        folders->items[folders->count++] = copy;
}

void ed_library_folders_load(struct ed_library_folders *folders)
{
    char *path = oro_library_folders_file();
    ed_library_folders_free(folders);
    each_line(path, take_folder, folders);
    oro_free(path);
}

static bool save_folders(const struct ed_library_folders *folders, struct oro_error *err)
{
    char *path = oro_library_folders_file();
    bool ok = path ? write_lines(path, folders->items, folders->count, err)
                   : oro_fail(err, ORO_E_WRITE, "there is no place for settings: HOME is not set");
    oro_free(path);
    return ok;
}

bool ed_library_folders_add(struct ed_library_folders *folders, const char *path, struct oro_error *err)
{
    struct stat info;
    char *place = oro_path_true(path), *own = oro_own_library();
    bool ok = (place && stat(place, &info) == 0 && S_ISDIR(info.st_mode) && !strpbrk(place, "\r\n")) ||
              oro_fail(err, ORO_E_USAGE, "'%.300s' is no folder", path);
    bool known = ok && own && oro_path_same(own, place);
    for (size_t i = 0; ok && i < folders->count; i++)
        known = known || strcmp(folders->items[i], place) == 0;
    if (known)
        ok = oro_fail(err, ORO_E_USAGE, "'%.300s' is in the library already", path);
    if (ok && folders->count == FOLDERS_MAX)
        ok = oro_fail(err, ORO_E_USAGE, "there are %d folders already", (int)FOLDERS_MAX);
    oro_free(own);
    if (!ok) {
        oro_free(place);
        return false;
    }
    folders->items[folders->count++] = place;
    if (save_folders(folders, err))
        return true;
    oro_free(folders->items[--folders->count]);
    return false;
}

bool ed_library_folders_remove(struct ed_library_folders *folders, size_t index, struct oro_error *err)
{
    if (index >= folders->count)
        return oro_fail(err, ORO_E_USAGE, "there is no such folder");
    oro_free(folders->items[index]);
    memmove(folders->items + index, folders->items + index + 1,
            (--folders->count - index) * sizeof folders->items[0]);
    return save_folders(folders, err);
}

void ed_library_folders_free(struct ed_library_folders *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        oro_free(folders->items[i]);
    *folders = (struct ed_library_folders){0};
}
