/* Files other than graphs and heightfields: lists of files, and texts. */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command/run.h"

enum { FILES_MAX = 10000 };

struct files {
    struct oro_batch_value *items;
    size_t count, capacity;
};

static bool add_file(struct files *files, struct oro_arena *arena, const char *path, struct oro_error *err)
{
    void *items = files->items;
    if (files->count == FILES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "the folder has more than %d files", FILES_MAX);
    const char *kept = oro_arena_text(arena, path);
    if (!kept || !oro_reserve(&items, &files->capacity, files->count + 1, sizeof *files->items))
        return oro_fail(err, ORO_E_MEMORY, "no memory for a list of files");
    files->items = items;
    files->items[files->count++] = oro_batch_text(NULL, kept);
    return true;
}

static bool list_folder(DIR *folder, const char *name, const char *pattern, struct oro_arena *arena,
                        struct files *files, struct oro_error *err)
{
    bool ok = true;
    size_t length = strlen(name);
    for (struct dirent *entry; ok && (entry = readdir(folder));) {
        struct stat info;
        if (pattern && fnmatch(pattern, entry->d_name, FNM_PERIOD) != 0)
            continue;
        struct oro_text path = {0};
        oro_text_addf(&path, "%s%s%s", name, length && name[length - 1] == '/' ? "" : "/", entry->d_name);
        if (path.failed)
            ok = oro_fail(err, ORO_E_MEMORY, "no memory for a list of files");
        else if (stat(path.data, &info) == 0 && S_ISREG(info.st_mode))
            ok = add_file(files, arena, path.data, err);
        oro_text_free(&path);
    }
    return ok;
}

static int compare(const void *left, const void *right)
{
    const struct oro_batch_value *a = left, *b = right;
    return strcmp(a->text, b->text);
}

bool cli_run_list(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct files files = {0};
    char *path = cli_places_read(&run->places, call->arguments[0].text, err);
    if (!path)
        return false;
    DIR *folder = opendir(path);
    bool ok = folder || oro_fail(err, ORO_E_FILE, "cannot list '%.300s': %s", path, strerror(errno));
    ok = ok && list_folder(folder, path, call->arguments[1].text, call->arena, &files, err);
    if (folder)
        closedir(folder);
    if (ok && files.count > 0)
        qsort(files.items, files.count, sizeof *files.items, compare);
    call->result = oro_batch_room(call->arena, ORO_BATCH_ITEMS, NULL, files.count);
    if (ok && !call->result.items)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for a list of files");
    if (ok && files.count > 0)
        memcpy(call->result.items, files.items, files.count * sizeof *files.items);
    oro_free(files.items);
    oro_free(path);
    return ok;
}

bool cli_run_read_text(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    char *path = cli_places_read(&run->places, call->arguments[0].text, err);
    bool ok = path && oro_file_read(path, ORO_BATCH_TEXT_MAX, &data, &size, err);
    char *copy = ok ? oro_arena_alloc(call->arena, size + 1, 1) : NULL;
    if (ok && !copy)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for '%.300s'", path);
    if (ok) {
        memcpy(copy, data, size);
        call->result = (struct oro_batch_value){.kind = ORO_BATCH_TEXT, .text = copy, .length = size};
    }
    oro_free(data);
    oro_free(path);
    return ok;
}

bool cli_run_write_text(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    const char *path = call->arguments[0].text;
    const struct oro_batch_value *text = &call->arguments[1];
    return cli_places_write(&run->places, path, err) && oro_file_write(path, text->text, text->length, err);
}
