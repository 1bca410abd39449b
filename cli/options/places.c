#include "cli/options/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/walls.h"
#include "formats/format.h"
#include "graph/cache/cache.h"
#include "graph/derived/paths.h"

/* ---- Setting up ---- */

static bool add_place(struct cli_places *places, const char **list, size_t *count, const char *path,
                      struct oro_error *err)
{
    char *found = realpath(path, NULL);
    const char *place = found ? oro_arena_text(places->arena, found) : NULL;
    free(found);
    if (place)
        list[(*count)++] = place;
    return place || oro_fail(err, ORO_E_MEMORY, "no memory for a path");
}

/* The script's folder: "scripts/" of "scripts/sweep.lua", "" of "sweep.lua". */
static bool find_folder(struct cli_places *places, const char *script, struct oro_error *err)
{
    const char *slash = strrchr(script, '/');
    int length = slash ? (int)(slash - script) + 1 : 0;
    places->beside = oro_arena_textf(places->arena, "%.*s", length, script);
    return places->beside
               ? add_place(places, places->read, &places->read_count, length ? places->beside : ".", err)
               : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
}

static bool add_all(struct cli_places *places, const struct cli_list *read, const struct cli_list *write,
                    char *const *arguments, int count, struct oro_error *err)
{
    for (size_t i = 0; i < read->count; i++) {
        if (access(read->items[i], F_OK) != 0)
            return oro_fail(err, ORO_E_FILE, "there is no '%s', which --read names", read->items[i]);
        if (!add_place(places, places->read, &places->read_count, read->items[i], err))
            return false;
    }
    for (int i = 0; i < count; i++)
        if (access(arguments[i], F_OK) == 0 &&
            !add_place(places, places->read, &places->read_count, arguments[i], err))
            return false;
    for (size_t i = 0; i < write->count; i++)
        if (!oro_make_folders(write->items[i], err) ||
            !add_place(places, places->write, &places->write_count, write->items[i], err))
            return false;
    return true;
}

bool cli_places_open(struct cli_places *places, const char *script, const struct cli_list *read,
                     const struct cli_list *write, char *const *arguments, int count, struct oro_error *err)
{
    *places = (struct cli_places){.arena = oro_arena_create()};
    if (!places->arena)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    places->read = oro_arena_alloc(places->arena, read->count + (size_t)count + 1, sizeof *places->read);
    places->write = oro_arena_alloc(places->arena, write->count + 1, sizeof *places->write);
    if (!places->read || !places->write)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    return find_folder(places, script, err) && add_all(places, read, write, arguments, count, err);
}

void cli_places_close(struct cli_places *places)
{
    oro_arena_destroy(places->arena);
    *places = (struct cli_places){0};
}

/* ---- Walls ---- */

static bool add_library(const char *folder, size_t length, void *user)
{
    char *name = oro_alloc(length + 1, 1);
    bool *ok = user;
    if (name)
        memcpy(name, folder, length);
    *ok = *ok && name && oro_walls_add(ORO_WALL_READ, name, NULL);
    oro_free(name);
    return !*ok;
}

/* The cache may have to be made. */
static bool add_own(void)
{
    static const char *const folders[][2] = {{"XDG_CONFIG_HOME", ".config"},
                                             {"XDG_DATA_HOME", ".local/share"},
                                             {"XDG_STATE_HOME", ".local/state"}};
    char cache[PATH_MAX];
    bool ok = true;
    if (oro_cache_folder(cache, sizeof cache) && oro_make_folders(cache, NULL))
        ok = oro_walls_add(ORO_WALL_OWN, cache, NULL);
    for (size_t i = 0; ok && i < sizeof folders / sizeof folders[0]; i++) {
        char *folder = oro_user_folder(folders[i][0], folders[i][1], "orograph");
        ok = !folder || oro_walls_add(ORO_WALL_OWN, folder, NULL);
        oro_free(folder);
    }
    return ok;
}

bool cli_places_wall(const struct cli_places *places, const char *shader_dir, bool read_anywhere,
                     struct oro_error *err)
{
    bool ok = add_own() && (!shader_dir || oro_walls_add(ORO_WALL_READ, shader_dir, NULL));
    for (size_t i = 0; ok && i < places->write_count; i++)
        ok = oro_walls_add(ORO_WALL_WRITE, places->write[i], NULL);
    for (size_t i = 0; ok && i < places->read_count; i++)
        ok = oro_walls_add(ORO_WALL_READ, places->read[i], NULL);
    if (ok)
        oro_any_library(add_library, &ok);
    if (!ok)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the folders that may be used");
    oro_walls_raise(!read_anywhere);
    return true;
}

bool cli_places_take_document(const char *path, struct oro_error *err)
{
    char *place = oro_path_true(path), *folder = place ? oro_path_folder(place) : NULL;
    bool ok = folder ? oro_walls_add(ORO_WALL_READ, folder, err)
                     : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    oro_free(folder);
    oro_free(place);
    return ok;
}

/* ---- Asking ---- */

static bool lies_in(const char *place, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(list[i]);
        if (strcmp(list[i], "/") == 0 ||
            (strncmp(place, list[i], length) == 0 && (place[length] == '/' || !place[length])))
            return true;
    }
    return false;
}

static bool may_read(const struct cli_places *places, const char *path, struct oro_error *err)
{
    char *place = realpath(path, NULL);
    bool allowed = place && (lies_in(place, places->read, places->read_count) ||
                             lies_in(place, places->write, places->write_count));
    free(place);
    return allowed ||
           oro_fail(err, ORO_E_FILE, "'%.300s' may not be read; --read '%.300s' would allow it", path, path);
}

char *cli_places_read(const struct cli_places *places, const char *path, struct oro_error *err)
{
    struct oro_text found = {0};
    if (path[0] != '/' && access(path, F_OK) != 0)
        oro_text_add(&found, places->beside);
    oro_text_add(&found, path);
    bool ok = !found.failed || oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    if (ok && (!path[0] || access(found.data, F_OK) != 0))
        ok = oro_fail(err, ORO_E_FILE, "there is no '%.300s', here or beside the script", path);
    if (ok && may_read(places, found.data, err))
        return found.data;
    oro_text_free(&found);
    return NULL;
}

/* Cuts off the last part, then parts that do not exist. False: one of them is "..", so where the path leads
 * is unknown. */
static bool cut_to_existing(char *path)
{
    struct stat info;
    do {
        char *slash = strrchr(path, '/');
        const char *part = slash ? slash + 1 : path;
        if (strcmp(part, "..") == 0)
            return false;
        if (!slash) {
            memcpy(path, ".", 2); /* never longer than before: an empty path is refused earlier */
            return true;
        }
        slash[slash == path] = '\0';
    } while (stat(path, &info) != 0 && strcmp(path, "/") != 0);
    return true;
}

/* Makes the folders that lead to a file, where the nearest that exists allows it. */
static bool make_way(const struct cli_places *places, const char *path, struct oro_error *err)
{
    char *folder = oro_copy_text(path), *nearest = oro_copy_text(path), *place = NULL;
    char *slash = folder ? strrchr(folder, '/') : NULL;
    bool ok = folder && nearest;
    if (ok && slash && slash != folder) {
        *slash = '\0';
        place = cut_to_existing(nearest) ? realpath(nearest, NULL) : NULL;
        ok = place && lies_in(place, places->write, places->write_count) && oro_make_folders(folder, err);
    }
    free(place);
    oro_free(nearest);
    oro_free(folder);
    return ok;
}

bool cli_places_write(const struct cli_places *places, const char *path, struct oro_error *err)
{
    char *place = NULL;
    if (!path[0])
        return oro_fail(err, ORO_E_WRITE, "the path is empty");
    if (make_way(places, path, NULL))
        place = oro_path_true(path);
    bool allowed = place && lies_in(place, places->write, places->write_count);
    oro_free(place);
    if (!allowed)
        return oro_fail(err, ORO_E_WRITE,
                        "'%.300s' may not be written: it does not lie in a folder that --write names", path);
    return oro_format_may_write(path, err);
}
