/* Writes working copies over the files that they stand in for, all of them or none. */
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/working_private.h"
#include "formats/sidecar/sidecar.h"

enum { FILE_BYTES_MAX = 1 << 30 };

/* The sidecar of a file comes behind it (oro_files_place). */
struct ed_sealed {
    struct oro_file_output *outputs;
    struct sealed_file {
        char *path;   /* of the working copy's file; NULL: a sidecar */
        char *folder; /* was made for it; NULL */
    } * files;
    size_t count, capacity, output_capacity;
};

static bool make_folder_of(struct sealed_file *file, const char *path, struct oro_error *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? oro_alloc((size_t)(slash - path) + 1, 1) : NULL;
    if (!folder)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    memcpy(folder, path, (size_t)(slash - path));
    if (access(folder, F_OK) == 0) {
        oro_free(folder);
        return true;
    }
    file->folder = folder;
    return oro_make_folders(folder, err);
}

/* Writes a file's bytes under a temporary name beside `to`. */
static bool seal(struct ed_sealed *sealed, const char *from, const char *to, const char *path,
                 struct oro_error *err)
{
    void *files = sealed->files, *outputs = sealed->outputs, *data = NULL;
    size_t size = 0;
    bool room = oro_reserve(&files, &sealed->capacity, sealed->count + 1, sizeof *sealed->files) &&
                oro_reserve(&outputs, &sealed->output_capacity, sealed->count + 1, sizeof *sealed->outputs);
    sealed->files = files;
    sealed->outputs = outputs;
    if (!room)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", to);
    struct oro_file_output *output = &sealed->outputs[sealed->count];
    struct sealed_file *file = &sealed->files[sealed->count++];
    *output = (struct oro_file_output){0};
    *file = (struct sealed_file){.path = path ? oro_copy_text(path) : NULL};
    if (!make_folder_of(file, to, err) || !oro_file_read(from, FILE_BYTES_MAX, &data, &size, err))
        return false;
    size = path ? size : oro_sidecar_take_sample_out(data, size);
    bool ok = oro_file_begin(output, to, err);
    if (ok && fwrite(data, 1, size, output->stream) != size)
        ok = oro_fail(err, ORO_E_WRITE, "cannot write '%s'", to);
    ok = ok && oro_file_seal(output, err);
    oro_free(data);
    return ok;
}

static bool seal_both(struct ed_sealed *sealed, const struct ed_working *one, struct oro_error *err)
{
    struct oro_text from = {0}, to = {0};
    oro_text_addf(&from, "%s.json", one->file);
    oro_text_addf(&to, "%s.json", one->path);
    bool ok =
        (!from.failed && !to.failed) || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", one->path);
    ok = ok && seal(sealed, one->file, one->path, one->path, err) &&
         (access(from.data, F_OK) != 0 || seal(sealed, from.data, to.data, NULL, err));
    oro_text_free(&from);
    oro_text_free(&to);
    return ok;
}

static bool is_as_known(const struct ed_working *one)
{
    struct oro_stamp now = oro_stamp_of(one->path);
    return !one->known || oro_stamp_equal(&now, &one->stamp);
}

struct ed_sealed *ed_workings_seal(struct ed_workings *working, bool over, struct oro_error *err)
{
    struct ed_sealed *sealed = oro_alloc(1, sizeof *sealed);
    bool ok = sealed || oro_fail(err, ORO_E_MEMORY, "no memory to save");
    for (size_t i = 0; ok && i < working->count; i++) {
        const struct ed_working *one = &working->items[i];
        if (!one->goes)
            continue;
        ok = over || is_as_known(one) ||
             oro_fail(err, ORO_E_FILE, "'%s' was changed by another program since it was read", one->path);
        ok = ok && seal_both(sealed, one, err);
    }
    if (ok)
        return sealed;
    ed_sealed_abort(sealed);
    return NULL;
}

static void free_all(struct ed_sealed *sealed)
{
    for (size_t i = 0; i < sealed->count; i++) {
        oro_free(sealed->files[i].path);
        oro_free(sealed->files[i].folder);
    }
    oro_free(sealed->files);
    oro_free(sealed->outputs);
    oro_free(sealed);
}

void ed_sealed_abort(struct ed_sealed *sealed)
{
    if (!sealed)
        return;
    oro_files_end(sealed->outputs, sealed->count);
    for (size_t i = 0; i < sealed->count; i++)
        if (sealed->files[i].folder)
            rmdir(sealed->files[i].folder);
    free_all(sealed);
}

bool ed_sealed_commit(struct ed_sealed *sealed, struct ed_workings *working, struct oro_error *err)
{
    bool ok = oro_files_place(sealed->outputs, sealed->count, err);
    oro_files_end(sealed->outputs, sealed->count);
    for (size_t i = 0; ok && i < sealed->count; i++)
        if (sealed->files[i].path) {
            ed_working_same(working, sealed->files[i].path);
            ed_working_read(working, sealed->files[i].path);
        }
    free_all(sealed);
    return ok;
}
