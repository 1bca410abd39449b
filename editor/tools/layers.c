/* Painted layers that are open. */
#include "editor/tools/layers.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/tools/layers_private.h"
#include "formats/format.h"

struct ed_layers *ed_layers_create(struct ed_project *project)
{
    struct ed_layers *layers = oro_alloc(1, sizeof *layers);
    if (!layers)
        return NULL;
    pthread_mutex_init(&layers->lock, NULL);
    layers->users = 1;
    layers->project = project;
    layers->working = ed_project_workings(project);
    return layers;
}

void ed_layers_release(struct ed_layers *layers)
{
    if (!layers || --layers->users > 0)
        return;
    ed_layers_clear(layers);
    oro_free(layers->items);
    pthread_mutex_destroy(&layers->lock);
    oro_free(layers);
}

/* ---- Names ---- */

char *ed_layer_name(const char *document, const char *name)
{
    const char *slash = strrchr(document, '/'), *base = slash ? slash + 1 : document;
    size_t length = strlen(base), size = length + strlen(name) + 16;
    if (length > 4 && strcmp(base + length - 4, ".oro") == 0)
        length -= 4;
    char *out = oro_alloc(size, 1);
    if (out)
        snprintf(out, size, "%.*s.layers/%s.png", (int)length, base, name);
    return out;
}

char *ed_layer_sidecar(const char *path)
{
    size_t size = strlen(path) + 6;
    char *out = oro_alloc(size, 1);
    if (out)
        snprintf(out, size, "%s.json", path);
    return out;
}

/* ---- Contents ---- */

struct ed_open_layer *ed_layers_find(const struct ed_layers *layers, const char *place)
{
    for (size_t i = 0; place && i < layers->count; i++)
        if (strcmp(layers->items[i]->layer.path, place) == 0)
            return layers->items[i];
    return NULL;
}

bool ed_layer_is_clean(const struct ed_open_layer *open)
{
    return open->content == open->in_file && open->settled == open->layer.serial;
}

static struct ed_open_layer *open_of(struct ed_layer *layer)
{
    return (struct ed_open_layer *)(void *)layer; /* its first member */
}

void ed_layer_changed(struct ed_layers *layers, struct ed_layer *layer)
{
    (void)layers;
    layer->serial++;
    open_of(layer)->failed = false;
}

void ed_layer_restored(struct ed_layers *layers, struct ed_layer *layer)
{
    ed_layer_changed(layers, layer);
    open_of(layer)->settled = layer->serial;
}

void ed_layer_has(struct ed_layers *layers, struct ed_layer *layer, uint64_t content)
{
    open_of(layer)->content = content ? content : ++layers->contents;
    open_of(layer)->settled = layer->serial;
}

bool ed_layers_differ(const struct ed_layers *layers, const char *path)
{
    char *place = oro_path_place(path);
    const struct ed_open_layer *open = ed_layers_find(layers, place);
    bool differs = place && (open ? !ed_layer_is_clean(open) : ed_working_differs(layers->working, place));
    oro_free(place);
    return differs;
}

/* ---- Opening ---- */

static bool read_layer(struct ed_layers *layers, struct ed_open_layer *open, double low, double high,
                       double extent, struct oro_error *err)
{
    const char *path = open->layer.path;
    struct oro_heightfield field = {0};
    struct oro_read_options options = {
        .has_range = true, .low = low, .high = high, .no_sidecar = true, .not_heights = true};
    struct oro_stamp stamp = oro_stamp_of(path);
    bool working = ed_working_differs(layers->working, path);
    if (!oro_heightfield_read(ed_working_file(layers->working, path), &options, &field, err))
        return false;
    struct ed_canvas_raster *raster = &open->layer.raster;
    oro_free(raster->data);
    *raster = (struct ed_canvas_raster){field.width, field.height, extent / field.width, (float)low,
                                        (float)high, field.data,   raster->cell_y};
    open->written = open->settled = ++open->layer.serial;
    if (working && !open->content) { /* what was recovered */
        open->content = ++layers->contents;
    } else if (!working && (!open->content || !oro_stamp_equal(&stamp, &open->stamp))) {
        open->content = open->in_file = ++layers->contents;
        open->stamp = stamp;
        ed_working_read(layers->working, path);
    }
    return true;
}

static struct ed_open_layer *add(struct ed_layers *layers, const char *place, struct oro_error *err)
{
    void *items = layers->items;
    struct ed_open_layer *open = oro_alloc(1, sizeof *open);
    bool room = oro_reserve(&items, &layers->capacity, layers->count + 1, sizeof *layers->items);
    layers->items = items;
    if (room && open && (open->layer.path = oro_copy_text(place)))
        return layers->items[layers->count++] = open;
    oro_free(open);
    oro_fail(err, ORO_E_MEMORY, "not enough memory for '%s'", place);
    return NULL;
}

static void remove_layer(struct ed_layers *layers, struct ed_open_layer *open)
{
    size_t index = 0;
    while (layers->items[index] != open)
        index++;
    layers->items[index] = layers->items[--layers->count];
    oro_free(open->layer.path);
    oro_free(open->layer.raster.data);
    oro_free(open);
}

/* What was painted counts more than any file, and a clean layer is the only copy if its file was deleted. */
static bool is_current(const struct ed_layers *layers, const struct ed_open_layer *open)
{
    static const struct oro_stamp nothing;
    struct oro_stamp stamp = oro_stamp_of(open->layer.path);
    return open->layer.raster.data &&
           (!ed_layer_is_clean(open) || ed_layer_is_written(layers, open) ||
            oro_stamp_equal(&stamp, &open->stamp) || oro_stamp_equal(&stamp, &nothing));
}

/* The file of a node that says another range has the same bits, which mean other values. */
static void set_range(struct ed_canvas_raster *raster, float low, float high)
{
    size_t cells = (size_t)raster->width * (size_t)raster->height;
    float from = raster->low, scale = (high - low) / (raster->high - raster->low);
    if (low == raster->low && high == raster->high)
        return;
    for (size_t i = 0; i < cells; i++)
        raster->data[i] = low + (raster->data[i] - from) * scale;
    raster->low = low;
    raster->high = high;
}

struct ed_layer *ed_layers_open(struct ed_layers *layers, const char *path, double low, double high,
                                double extent, struct oro_error *err)
{
    char *place = oro_path_place(path);
    struct ed_open_layer *open = ed_layers_find(layers, place), *fresh = NULL;
    bool current = open && is_current(layers, open);
    if (!open)
        open = fresh = add(layers, place ? place : path, err);
    oro_free(place);
    if (!open)
        return NULL;
    if (!current && !read_layer(layers, open, low, high, extent, err)) {
        if (fresh)
            remove_layer(layers, fresh);
        return NULL;
    }
    open->used = ++layers->uses;
    set_range(&open->layer.raster, (float)low, (float)high);
    open->layer.raster.cell = extent / open->layer.raster.width;
    return &open->layer;
}

bool ed_layers_add(struct ed_layers *layers, const char *path, const struct oro_grid *grid, double low,
                   double high, double value, struct oro_error *err)
{
    size_t cells = oro_grid_cells(grid);
    char *place = oro_path_place(path);
    struct ed_open_layer *open = add(layers, place ? place : path, err);
    oro_free(place);
    if (!open)
        return false;
    struct ed_canvas_raster *raster = &open->layer.raster;
    *raster =
        (struct ed_canvas_raster){grid->width, grid->height, grid->cell, (float)low, (float)high, NULL, 0};
    raster->data = oro_alloc(cells, sizeof *raster->data);
    for (size_t i = 0; raster->data && i < cells; i++)
        raster->data[i] = (float)value;
    open->used = ++layers->uses;
    ed_layer_changed(layers, &open->layer);
    ed_layer_has(layers, &open->layer, 0);
    bool ok = raster->data ? ed_layers_flush(layers, err)
                           : oro_fail(err, ORO_E_MEMORY, "not enough memory for a layer of %d x %d cells",
                                      grid->width, grid->height);
    if (!ok)
        remove_layer(layers, open);
    return ok;
}

/* ---- Closing ---- */

static size_t bytes_of(const struct ed_canvas_raster *raster)
{
    return raster->data ? (size_t)raster->width * (size_t)raster->height * sizeof *raster->data : 0;
}

size_t ed_layers_bytes(const struct ed_layers *layers)
{
    size_t bytes = 0;
    for (size_t i = 0; i < layers->count; i++)
        bytes += bytes_of(&layers->items[i]->layer.raster);
    return bytes;
}

/* What is known of a layer that is closed stays: steps of the history tell its contents by their numbers. */
void ed_layers_trim(struct ed_layers *layers, const struct ed_layer *keep, size_t bytes)
{
    size_t used = ed_layers_bytes(layers);
    while (used > bytes) {
        struct ed_open_layer *oldest = NULL;
        for (size_t i = 0; i < layers->count; i++) {
            struct ed_open_layer *open = layers->items[i];
            bool closable = open->layer.raster.data && &open->layer != keep &&
                            open->written == open->layer.serial && open->settled == open->layer.serial;
            if (closable && (!oldest || open->used < oldest->used))
                oldest = open;
        }
        if (!oldest)
            return;
        used -= bytes_of(&oldest->layer.raster);
        oro_free(oldest->layer.raster.data);
        oldest->layer.raster.data = NULL;
    }
}

void ed_layers_clear(struct ed_layers *layers)
{
    ed_layers_drop_job(layers);
    while (layers->count > 0)
        remove_layer(layers, layers->items[layers->count - 1]);
    for (size_t i = 0; i < layers->move_count; i++) {
        oro_free(layers->moves[i].from);
        oro_free(layers->moves[i].to);
    }
    oro_free(layers->moves);
    layers->moves = NULL;
    layers->move_count = layers->move_capacity = 0;
}

/* ---- Moving ---- */

/* A layer that was open at the path before is closed: its file has just been written by us. */
static void move_open(struct ed_layers *layers, const char *from, char *to, bool copied)
{
    struct ed_open_layer *open = ed_layers_find(layers, from), *there = ed_layers_find(layers, to);
    if (there && there != open)
        remove_layer(layers, there);
    if (!open) {
        oro_free(to);
        return;
    }
    oro_free(open->layer.path);
    open->layer.path = to;
    if (copied) {
        open->in_file = open->content;
        open->written = open->layer.serial;
        open->stamp = oro_stamp_of(to);
    }
}

static bool note_move(struct ed_layers *layers, const char *from, const char *to)
{
    void *moves = layers->moves;
    struct ed_layer_move move = {oro_copy_text(from), oro_copy_text(to)};
    bool ok = move.from && move.to &&
              oro_reserve(&moves, &layers->move_capacity, layers->move_count + 1, sizeof *layers->moves);
    layers->moves = moves;
    if (ok) {
        layers->moves[layers->move_count++] = move;
        return true;
    }
    oro_free(move.from);
    oro_free(move.to);
    return false;
}

bool ed_layers_move(struct ed_layers *layers, const char *from, const char *to, bool copied,
                    struct oro_error *err)
{
    char *source = oro_path_place(from), *target = oro_path_place(to);
    bool ok = source && target && note_move(layers, source, target);
    if (!ok)
        oro_fail(err, ORO_E_MEMORY, "no memory to take the layers along");
    if (ok && copied) {
        ed_working_same(layers->working, source);
        ed_working_read(layers->working, target);
    } else if (ok)
        ok = ed_working_move(layers->working, source, target, err);
    if (ok) {
        move_open(layers, source, target, copied); /* which owns the target's path from now on */
        target = NULL;
    }
    oro_free(source);
    oro_free(target);
    return ok;
}

const char *ed_layers_moved_path(const struct ed_layers *layers, const char *path, size_t since)
{
    for (size_t i = since; i < layers->move_count; i++)
        if (strcmp(layers->moves[i].from, path) == 0)
            path = layers->moves[i].to;
    return path;
}
