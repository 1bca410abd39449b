/* Saving a document under another name, with copies of its layers. */
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/tools/layers_private.h"

/* A layer as the document names it, before and after, and its files. */
struct going {
    char *from, *to;
    char *source, *target;
    bool made;    /* the target was not there before */
    bool no_file; /* only the history knows it, and it has never had a file */
};
struct departure {
    struct ed_layers *layers;
    const char *old, *path; /* of the document */
    bool same;              /* both lead to the same file: names of layers stay, too */
    struct going *items;
    size_t count, capacity;
    struct oro_error err;
};

static bool is_there(const char *path)
{
    static const struct oro_stamp nothing;
    struct oro_stamp stamp = oro_stamp_of(path);
    return !oro_stamp_equal(&stamp, &nothing);
}

static void free_going(struct going *going)
{
    oro_free(going->from);
    oro_free(going->to);
    oro_free(going->source);
    oro_free(going->target);
}

/* ---- Which layers ---- */

static void no_memory(struct departure *all)
{
    oro_fail(&all->err, ORO_E_MEMORY, "no memory to take the layers along");
}

static void gather(void *user, const char *text)
{
    struct departure *all = user;
    void *items = all->items;
    bool known = !ed_is_layer_name(text) || all->err.code;
    for (size_t i = 0; i < all->count && !known; i++)
        known = strcmp(all->items[i].from, text) == 0;
    if (known)
        return;
    struct going going = {.from = oro_copy_text(text), .source = oro_path_beside(all->old, text)};
    bool room = oro_reserve(&items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items = items;
    if (!room || !going.from || !going.source)
        no_memory(all);
    /* A missing layer cannot be copied, and keeps its name, which tells what is missing. */
    bool differs = going.source && ed_layers_differ(all->layers, going.source);
    bool goes = !all->err.code && (is_there(going.source) || differs);
    going.no_file =
        goes && !is_there(going.source) && !ed_project_names(all->layers->project, all->old, going.source);
    if (goes)
        all->items[all->count++] = going;
    else
        free_going(&going);
}

/* ---- Where to ---- */

static bool have_same_bytes(const char *a, const char *b)
{
    void *one = NULL, *two = NULL;
    size_t one_size = 0, two_size = 0;
    bool same = oro_stamp_of(a).size == oro_stamp_of(b).size &&
                oro_file_read(a, (size_t)1 << 30, &one, &one_size, NULL) &&
                oro_file_read(b, (size_t)1 << 30, &two, &two_size, NULL) && one_size == two_size &&
                memcmp(one, two, one_size) == 0;
    oro_free(one);
    oro_free(two);
    return same;
}

/* Whether the layer can be put there without overwriting anything. */
static bool suits(const struct departure *all, const struct going *going, const char *target)
{
    const char *current = ed_working_file(all->layers->working, going->source);
    char *sidecar = ed_layer_sidecar(target);
    bool taken = is_there(target) || ed_layers_differ(all->layers, target);
    bool suits =
        sidecar &&
        (oro_path_same(going->source, target) || (!taken && !is_there(sidecar)) ||
         (!ed_layers_differ(all->layers, target) && is_there(target) && have_same_bytes(current, target)));
    for (const struct going *other = all->items; other < going && suits; other++)
        suits = strcmp(other->target, target) != 0;
    oro_free(sidecar);
    return suits;
}

/* "mask", "mask2", ... in the folder of the new name. */
static bool find_place(struct departure *all, struct going *going)
{
    const char *slash = strrchr(going->from, '/'), *base = slash ? slash + 1 : going->from;
    int length = (int)strlen(base) - 4; /* without ".png" */
    for (int i = 1; i < 10000; i++) {
        char name[300];
        snprintf(name, sizeof name, i == 1 ? "%.*s" : "%.*s%d", length, base, i);
        going->to = all->same && i == 1 ? oro_copy_text(going->from) : ed_layer_name(all->path, name);
        going->target = going->to ? oro_path_beside(all->path, going->to) : NULL;
        if (!going->target) {
            no_memory(all);
            return false;
        }
        if (suits(all, going, going->target))
            return true;
        oro_free(going->to);
        oro_free(going->target);
        going->to = going->target = NULL;
    }
    return oro_fail(&all->err, ORO_E_WRITE, "no file could be made for the layer '%s'", going->from);
}

/* ---- Copying and renaming ---- */

static bool copy_file(const char *from, const char *to, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    bool ok = oro_file_read(from, (size_t)1 << 30, &data, &size, err) && oro_file_write(to, data, size, err);
    oro_free(data);
    return ok;
}

/* The layer as it was painted, with its sidecar, which comes first, as it vouches for the layer. */
static bool copy_both(const struct departure *all, const struct going *going, struct oro_error *err)
{
    const char *current = ed_working_file(all->layers->working, going->source);
    char *from = ed_layer_sidecar(current), *to = ed_layer_sidecar(going->target);
    char *folder = oro_copy_text(going->target), *slash = folder ? strrchr(folder, '/') : NULL;
    bool ok = (from && to && slash) || oro_fail(err, ORO_E_MEMORY, "no memory to copy '%s'", going->source);
    if (slash)
        *slash = '\0';
    ok = ok && oro_make_folders(folder, err) && (!is_there(from) || copy_file(from, to, err)) &&
         copy_file(current, going->target, err);
    oro_free(folder);
    oro_free(from);
    oro_free(to);
    return ok;
}

static bool copy(struct departure *all, struct going *going)
{
    struct oro_error err = {0};
    if (going->no_file || oro_path_same(going->source, going->target) || is_there(going->target))
        return true;
    going->made = true;
    return copy_both(all, going, &err) ||
           oro_fail(&all->err, err.code,
                    "the painted layer '%s' could not be copied, so nothing was saved: %s", going->from,
                    err.text);
}

/* Replaces the layers' names in the document; `back`: by the old ones. */
static bool rename_in(const struct departure *all, struct ed_project *project, bool back,
                      struct oro_error *err)
{
    const char **from = oro_alloc(all->count + 1, sizeof *from), **to = oro_alloc(all->count + 1, sizeof *to);
    for (size_t i = 0; from && to && i < all->count; i++) {
        from[i] = back ? all->items[i].to : all->items[i].from;
        to[i] = back ? all->items[i].from : all->items[i].to;
    }
    bool ok = from && to ? ed_project_replace_texts(project, from, to, all->count, err)
                         : oro_fail(err, ORO_E_MEMORY, "no memory to take the layers along");
    oro_free(from);
    oro_free(to);
    return ok;
}

/* Removes the files that were made in vain, and their folder if it is empty then. */
static void remove_copies(const struct departure *all)
{
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i].made)
            continue;
        char *sidecar = ed_layer_sidecar(all->items[i].target), *slash = strrchr(all->items[i].target, '/');
        unlink(all->items[i].target);
        if (sidecar)
            unlink(sidecar);
        oro_free(sidecar);
        if (slash) {
            *slash = '\0';
            rmdir(all->items[i].target);
        }
    }
}

static bool depart(struct departure *all, bool over, struct oro_error *err)
{
    struct ed_project *project = all->layers->project;
    oro_document_each_text(ed_project_main(project), gather, all);
    bool ok = !all->err.code;
    for (size_t i = 0; i < all->count && ok; i++)
        ok = find_place(all, &all->items[i]) && copy(all, &all->items[i]);
    ok = ok && rename_in(all, project, false, &all->err);
    if (ok && !ed_project_save(project, all->path, over, &all->err)) {
        ok = false;
        rename_in(all, project, true, NULL);
    }
    for (size_t i = 0; i < all->count && ok; i++)
        if (!oro_path_same(all->items[i].source, all->items[i].target))
            ed_layers_move(all->layers, all->items[i].source, all->items[i].target, !all->items[i].no_file,
                           NULL); /* memory is out: strokes can no longer be undone */
    if (!ok) {
        remove_copies(all);
        *err = all->err;
    }
    return ok;
}

/* Takes over what was written. */
static void take_saved(struct ed_layers *layers)
{
    for (size_t i = 0; i < layers->count; i++) {
        struct ed_open_layer *open = layers->items[i];
        if (ed_layer_is_clean(open) || ed_working_differs(layers->working, open->layer.path))
            continue; /* the latter is one that only the history names */
        open->in_file = open->content;
        open->stamp = oro_stamp_of(open->layer.path);
    }
}

bool ed_layers_save(struct ed_layers *layers, const char *path, bool over, struct oro_error *err)
{
    struct ed_project *project = layers->project;
    char *old = oro_copy_text(oro_document_path(ed_project_main(project)));
    if (!old)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    bool stays = !path || !*old || strcmp(path, old) == 0;
    struct departure all = {.layers = layers, .old = old, .path = path};
    all.same = !stays && oro_path_same(old, path);
    bool ok = ed_layers_flush(layers, err);
    ok = ok && (stays ? ed_project_save(project, path, over, err) : depart(&all, over, err));
    take_saved(layers);
    for (size_t i = 0; i < all.count; i++)
        free_going(&all.items[i]);
    oro_free(all.items);
    oro_free(old);
    return ok;
}
