#include "editor/panels/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/text.h"

bool ed_file_has_extension(const char *name, const char *const *extensions)
{
    size_t length = strlen(name);
    for (const char *const *end = extensions; end && *end; end++)
        if (length > strlen(*end) && strcasecmp(name + length - strlen(*end), *end) == 0)
            return true;
    return !extensions;
}

/* A run of digits: its end, and its first digit after leading zeros. */
static const char *digits(const char **at)
{
    while (**at == '0' && isdigit((unsigned char)(*at)[1]))
        (*at)++;
    const char *end = *at;
    while (isdigit((unsigned char)*end))
        end++;
    return end;
}

int ed_file_order(const char *a, const char *b)
{
    const char *first = a, *second = b;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            const char *a_end = digits(&a), *b_end = digits(&b);
            if (a_end - a != b_end - b)
                return a_end - a < b_end - b ? -1 : 1;
            int order = strncmp(a, b, (size_t)(a_end - a));
            if (order)
                return order;
            a = a_end;
            b = b_end;
            continue;
        }
        int order = tolower((unsigned char)*a) - tolower((unsigned char)*b);
        if (order)
            return order;
        a++;
        b++;
    }
    return *a ? 1 : *b ? -1 : strcmp(first, second);
}

static int compare(const void *a, const void *b)
{
    const struct ed_file *left = a, *right = b;
    if (left->folder != right->folder)
        return left->folder ? -1 : 1;
    return ed_file_order(left->name, right->name);
}

/* Links count as what they lead to; a broken link counts as a file. */
static bool add(struct ed_files *files, DIR *dir, const char *name, const char *const *extensions)
{
    struct ed_file file = {0};
    struct stat info;
    if (fstatat(dirfd(dir), name, &info, 0) == 0) {
        file.folder = S_ISDIR(info.st_mode);
        file.size = (uint64_t)info.st_size;
        file.seconds = (int64_t)info.st_mtime;
    }
    if (!file.folder && !ed_file_has_extension(name, extensions))
        return true;
    file.name = oro_arena_text(files->arena, name);
    if (!file.name || !oro_reserve((void **)&files->items, &files->capacity, files->count + 1, sizeof file))
        return false;
    files->items[files->count++] = file;
    return true;
}

bool ed_files_list(struct ed_files *files, const char *folder, const char *const *extensions,
                   struct oro_error *err)
{
    char *copy = oro_copy_text(folder); /* it may be files->folder */
    bool ok = true;
    oro_arena_destroy(files->arena);
    oro_free(files->folder);
    files->arena = oro_arena_create();
    files->folder = copy;
    files->count = 0;
    if (!files->arena || !copy)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the list of files");
    DIR *dir = opendir(copy);
    if (!dir)
        return oro_fail(err, ORO_E_FILE, "'%s' cannot be read: %s", copy, strerror(errno));
    for (struct dirent *entry; ok && (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            ok = add(files, dir, entry->d_name, extensions);
    closedir(dir);
    if (files->count > 0)
        qsort(files->items, files->count, sizeof *files->items, compare);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory for the list of files");
}

void ed_files_free(struct ed_files *files)
{
    oro_arena_destroy(files->arena);
    oro_free(files->items);
    oro_free(files->folder);
    *files = (struct ed_files){0};
}

/* ---- Paths */

/* Appends the parts of `path` to `to`, which ends without a slash. */
static void add_parts(struct oro_text *to, const char *path)
{
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            while (to->length > 0 && to->data[to->length - 1] != '/')
                to->data[--to->length] = '\0';
            if (to->length > 0)
                to->data[--to->length] = '\0';
        } else if (length > 0 && !(length == 1 && path[0] == '.')) {
            oro_text_add(to, "/");
            oro_text_add_bytes(to, path, length);
        }
        path += length + (path[length] == '/');
    }
}

char *ed_file_resolve(const char *folder, const char *typed)
{
    struct oro_text path = {0};
    const char *home = getenv("HOME");
    oro_text_add(&path, "");
    if (typed[0] == '~' && (typed[1] == '/' || typed[1] == '\0') && home) {
        add_parts(&path, home);
        typed++;
    } else if (typed[0] != '/') {
        add_parts(&path, folder);
    }
    if (!path.failed)
        add_parts(&path, typed);
    if (!path.failed && path.length == 0)
        oro_text_add(&path, "/");
    return oro_text_take(&path);
}

/* Shortens `common` to the beginning that it shares with a name. */
static void keep_common(char *common, const char *name)
{
    size_t length = 0;
    while (common[length] && common[length] == name[length])
        length++;
    common[length] = '\0';
}

void ed_file_complete(const char *folder, const char *const *extensions, char *typed, size_t size)
{
    char *slash = strrchr(typed, '/'), *last = slash ? slash + 1 : typed, common[512] = "";
    size_t begin = (size_t)(last - typed), matches = 0, letters = strlen(last);
    struct ed_files files = {0};
    bool only_folder = false;
    char above[1024];
    snprintf(above, sizeof above, "%.*s", (int)(begin < 1000 ? begin : 1000), typed);
    char *path = ed_file_resolve(folder, above);
    if (path && ed_files_list(&files, path, extensions, NULL))
        for (size_t i = 0; i < files.count; i++) {
            const char *name = files.items[i].name;
            if (strncmp(name, last, letters) != 0)
                continue;
            if (matches++ == 0)
                snprintf(common, sizeof common, "%s", name);
            else
                keep_common(common, name);
            only_folder = files.items[i].folder;
        }
    if (matches > 0 && begin + strlen(common) + 2 < size)
        snprintf(last, size - begin, "%s%s", common, matches == 1 && only_folder ? "/" : "");
    ed_files_free(&files);
    oro_free(path);
}

/* The length of a character of UTF-8, or 0. */
static size_t character(const unsigned char *at)
{
    size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : (at[0] & 0xf0) == 0xe0 ? 3 : 0;
    if ((at[0] & 0xf8) == 0xf0)
        length = 4;
    if (at[0] < 0x20 || at[0] == 0x7f)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

const char *ed_file_shown(const char *name, char *out, size_t size)
{
    size_t used = 0;
    while (*name) {
        size_t length = character((const unsigned char *)name);
        if (used + (length ? length : 1) + 1 > size)
            break;
        if (length)
            memcpy(out + used, name, length);
        else
            out[used] = '?';
        used += length ? length : 1;
        name += length ? length : 1;
    }
    out[used] = '\0';
    return out;
}
