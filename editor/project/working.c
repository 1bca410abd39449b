/* Copies that stand in for files of the document until it is saved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/working_private.h"
#include "graph/document/document.h"

enum { FILE_BYTES_MAX = 1 << 30 };

/* ---- The folder ---- */

void ed_working_in(struct ed_workings *working, char *(*make)(void *user, struct oro_error *err), void *user)
{
    working->make = make;
    working->user = user;
}

void ed_working_keep(struct ed_workings *working)
{
    working->keep = true;
}

static bool open_folder(struct ed_workings *working, struct oro_error *err)
{
    const char *temporary = getenv("TMPDIR");
    struct oro_text text = {0};
    if (!working->folder && working->make)
        working->folder = working->make(working->user, err);
    if (working->folder)
        return true;
    oro_text_addf(&text, "%s/orograph-XXXXXX", temporary && *temporary == '/' ? temporary : "/tmp");
    if (text.failed || !mkdtemp(text.data)) {
        oro_text_free(&text);
        return oro_fail(err, ORO_E_WRITE, "no folder can be made for what is painted");
    }
    working->folder = text.data;
    working->own_folder = true;
    return true;
}

/* ---- Finding ---- */

static struct ed_working *find(const struct ed_workings *working, const char *path)
{
    char *place = working->count > 0 ? oro_path_place(path) : NULL;
    struct ed_working *found = NULL;
    for (size_t i = 0; place && i < working->count && !found; i++)
        if (strcmp(working->items[i].path, place) == 0)
            found = &working->items[i];
    oro_free(place);
    return found;
}

static struct ed_working *find_or_add(struct ed_workings *working, const char *path)
{
    struct ed_working *found = find(working, path), one = {0};
    void *items = working->items;
    if (found)
        return found;
    one.path = oro_path_place(path);
    bool ok = one.path && oro_reserve(&items, &working->capacity, working->count + 1, sizeof one);
    working->items = items;
    if (!ok) {
        oro_free(one.path);
        return NULL;
    }
    working->items[working->count] = one;
    return &working->items[working->count++];
}

bool ed_working_differs(const struct ed_workings *working, const char *path)
{
    const struct ed_working *found = find(working, path);
    return found && found->differs;
}

const char *ed_working_file(const struct ed_workings *working, const char *path)
{
    const struct ed_working *found = find(working, path);
    return found && found->differs ? found->file : path;
}

/* ---- Changing ---- */

const char *ed_working_place(struct ed_workings *working, const char *path, struct oro_error *err)
{
    struct ed_working *found = find_or_add(working, path);
    struct oro_text text = {0};
    if (!found) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a working copy of '%s'", path);
        return NULL;
    }
    if (found->file || !open_folder(working, err))
        return found->file;
    oro_text_addf(&text, "%s/%u.%s", working->folder, ++working->number, oro_path_extension(found->path));
    found->file = text.failed ? NULL : text.data;
    if (!found->file)
        oro_fail(err, ORO_E_MEMORY, "no memory for a working copy of '%s'", path);
    return found->file;
}

bool ed_working_wrote(struct ed_workings *working, const char *path, struct oro_error *err)
{
    struct ed_working *found = find(working, path);
    if (!found || !found->file)
        return oro_fail(err, ORO_E_USAGE, "'%s' has no working copy", path);
    found->differs = oro_document_stand_in(working->root, found->path, found->file, err);
    return found->differs;
}

void ed_working_same(struct ed_workings *working, const char *path)
{
    struct ed_working *found = find(working, path);
    if (!found || !found->differs)
        return;
    found->differs = false;
    oro_document_stand_in(working->root, found->path, NULL, NULL); /* taking away needs no memory */
}

void ed_working_read(struct ed_workings *working, const char *path)
{
    struct ed_working *found = find_or_add(working, path);
    if (!found)
        return; /* it will not be noticed if another program writes the file */
    found->known = true;
    found->stamp = oro_stamp_of(found->path);
}

static void remove_files(const char *file)
{
    struct oro_text sidecar = {0};
    oro_text_addf(&sidecar, "%s.json", file);
    unlink(file);
    if (!sidecar.failed)
        unlink(sidecar.data);
    oro_text_free(&sidecar);
}

static void drop(struct ed_workings *working, struct ed_working *one)
{
    if (one->differs)
        oro_document_stand_in(working->root, one->path, NULL, NULL);
    if (one->file && !working->keep)
        remove_files(one->file);
    oro_free(one->path);
    oro_free(one->file);
    *one = working->items[--working->count];
}

void ed_workings_clear(struct ed_workings *working)
{
    while (working->count > 0)
        drop(working, &working->items[working->count - 1]);
}

void ed_workings_free(struct ed_workings *working)
{
    ed_workings_clear(working);
    oro_free(working->items);
    if (working->folder && !working->keep)
        rmdir(working->folder);
    oro_free(working->folder);
    *working = (struct ed_workings){0};
}

bool ed_working_move(struct ed_workings *working, const char *from, const char *to, struct oro_error *err)
{
    struct ed_working *found = find(working, from), *there = find(working, to);
    if (!found || found == there)
        return true;
    char *place = oro_path_place(to);
    if (!place || (found->differs && !oro_document_stand_in(working->root, place, found->file, err))) {
        oro_free(place);
        return oro_fail(err, ORO_E_MEMORY, "no memory for a working copy of '%s'", to);
    }
    if (found->differs)
        oro_document_stand_in(working->root, found->path, NULL, NULL);
    oro_free(found->path);
    found->path = place;
    found->known = false;
    if (there) {
        there->differs = false; /* what stands in for that path now is the copy that was moved */
        drop(working, there);
    }
    return true;
}

/* ---- Copying ---- */

static bool copy_file(const char *from, const char *to, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    bool ok = oro_file_read(from, FILE_BYTES_MAX, &data, &size, err) && oro_file_write(to, data, size, err);
    oro_free(data);
    return ok;
}

bool ed_working_adopt(struct ed_workings *working, const char *path, const char *file, struct oro_error *err)
{
    const char *own = ed_working_place(working, path, err);
    struct oro_text from = {0}, to = {0};
    oro_text_addf(&from, "%s.json", file);
    oro_text_addf(&to, "%s.json", own ? own : "");
    bool ok = own && !from.failed && !to.failed && copy_file(file, own, err);
    if (ok && access(from.data, F_OK) == 0)
        ok = copy_file(from.data, to.data, err);
    oro_text_free(&from);
    oro_text_free(&to);
    return ok && ed_working_wrote(working, path, err);
}
