#include "formats/file_set.h"

#include <errno.h>
#include <string.h>

#include <unistd.h>

#include "base/folder_digest.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "formats/folder.h"

static struct oro_file_output *open_file(struct oro_file_set *set)
{
    struct oro_file_output *last = set->count > 0 ? &set->files[set->count - 1] : NULL;
    return last && last->stream ? last : NULL;
}

bool oro_file_set_seal(struct oro_file_set *set, struct oro_error *err)
{
    struct oro_file_output *open = open_file(set);
    return !open || oro_file_seal(open, err);
}

bool oro_file_set_flush(struct oro_file_set *set, struct oro_error *err)
{
    struct oro_file_output *open = open_file(set);
    return !open || oro_file_flush(open, err);
}

/* The folder is opened for the first file. */
static bool hold(struct oro_file_set *set, const char *path, struct oro_error *err)
{
    if (set->holds || set->in_draft)
        return true;
    set->held = oro_folder_open_for(path, err);
    set->holds = set->held >= 0;
    if (set->holds)
        oro_temporary_sweep(set->held);
    return set->holds;
}

/* Room for one more, behind the last, which is sealed, and the folder. */
static struct oro_file_output *add(struct oro_file_set *set, const char *path, struct oro_error *err)
{
    if (!oro_file_set_seal(set, err))
        return NULL;
    if (!oro_reserve(&set->files, &set->room, set->count + 1, sizeof *set->files)) {
        oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
        return NULL;
    }
    return hold(set, path, err) ? &set->files[set->count] : NULL;
}

struct oro_file_output *oro_file_set_begin(struct oro_file_set *set, const char *path, struct oro_error *err)
{
    struct oro_file_output *output = add(set, path, err);
    if (!output || !oro_file_begin_in(output, set->held, path, err))
        return NULL;
    set->count++;
    return output;
}

bool oro_file_set_adopt(struct oro_file_set *set, int draft, const char *name, const char *path,
                        struct oro_error *err)
{
    struct oro_file_output *output = add(set, path, err);
    if (!output || !oro_file_adopt(output, draft, name, set->held, path, err))
        return false;
    set->count++;
    return true;
}

struct adoption {
    struct oro_file_set *set;
    int draft;
    const char *path;
    bool sidecars;
};

static bool adopt_file(void *user, const char *place, const char *name, struct oro_error *err)
{
    const struct adoption *adoption = user;
    bool sidecar = strcmp(oro_path_extension(name), "json") == 0;
    (void)place;
    if (strchr(name, '/') || sidecar != adoption->sidecars)
        return true;
    char *to = oro_path_beside(adoption->path, name);
    bool ok =
        to ? oro_file_may_write(to, err) && oro_file_set_adopt(adoption->set, adoption->draft, name, to, err)
           : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", adoption->path);
    oro_free(to);
    return ok;
}

bool oro_file_set_adopt_all(struct oro_file_set *set, int draft, const char *folder, const char *path,
                            struct oro_error *err)
{
    struct adoption others = {set, draft, path, false}, sidecars = {set, draft, path, true};
    return oro_folder_sync_files(folder, path, err) && oro_folder_visit(folder, adopt_file, &others, err) &&
           oro_folder_visit(folder, adopt_file, &sidecars, err);
}

bool oro_file_set_text(struct oro_file_set *set, const char *path, const char *text, size_t length,
                       struct oro_error *err)
{
    struct oro_file_output *output = oro_file_set_begin(set, path, err);
    if (!output)
        return false;
    if (fwrite(text, 1, length, output->stream) != length)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno));
    return oro_file_set_seal(set, err);
}

bool oro_file_set_late(struct oro_file_set *set, const char *path, const char *text, size_t length,
                       struct oro_error *err)
{
    if (!oro_file_set_text(set, path, text, length, err))
        return false;
    struct oro_file_output last = set->files[set->count - 1];
    memmove(set->files + 1, set->files, (set->count - 1) * sizeof *set->files);
    set->files[0] = last;
    set->late++;
    return true;
}

bool oro_file_set_drop(struct oro_file_set *set, const char *path, struct oro_error *err)
{
    char *copy = oro_copy_text(path);
    bool fits = copy && oro_reserve(&set->stale, &set->stale_room, set->stale_count + 1, sizeof *set->stale);
    if (fits)
        set->stale[set->stale_count++] = copy;
    else
        oro_free(copy);
    return fits || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
}

const char *oro_file_set_folder(struct oro_file_set *set, const char *path, struct oro_error *err)
{
    if (!oro_folder_may_write(path, err))
        return NULL;
    set->folder = oro_folder_make(path, err);
    return set->folder && hold(set, path, err) && oro_file_set_adopt(set, set->held, set->folder, path, err)
               ? set->folder
               : NULL;
}

/* What was begun first, as a folder, comes behind the files that vouch for it. */
bool oro_file_set_commit(struct oro_file_set *set, struct oro_error *err)
{
    if (!oro_file_set_seal(set, err) ||
        (set->folder && !oro_folder_settle(set->folder, set->files[set->late].path, err)) ||
        !oro_files_place(set->files + set->late, set->count - set->late, err))
        return false;
    if (set->late > 0) /* the others have their names on the disk before */
        oro_folder_sync(set->held);
    bool ok = oro_files_place(set->files, set->late, err);
    if (!ok)
        oro_files_take_back(set->files, set->count);
    for (size_t i = 0; ok && i < set->stale_count; i++)
        unlink(set->stale[i]);
    if (set->holds)
        oro_folder_sync(set->held);
    oro_files_end(set->files, set->count);
    set->count = set->late = 0;
    return ok;
}

void oro_file_set_end(struct oro_file_set *set)
{
    oro_files_end(set->files, set->count);
    if (set->holds)
        close(set->held);
    for (size_t i = 0; i < set->stale_count; i++)
        oro_free(set->stale[i]);
    if (set->folder) /* the older one, or what was not committed */
        oro_folder_remove(set->folder);
    oro_free(set->folder);
    oro_free(set->stale);
    oro_free(set->files);
    *set = (struct oro_file_set){0};
}
