#include "editor/view/layers.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/format.h"

struct open_layer {
    struct ed_layer layer;
    struct oro_stamp stamp; /* of the file as it was read or written */
    uint64_t written;       /* serial that the file has */
    bool failed;            /* the last try to write it: it waits for the next change */
};

/* What the thread writes: a copy. */
struct job {
    char *path;
    struct ed_canvas_raster raster;
    uint64_t serial;
    bool ok;
    struct oro_error err;
};

struct ed_layers {
    int users;
    struct open_layer **items; /* each stays at its place */
    size_t count, capacity;
    pthread_t thread;
    pthread_mutex_t lock;
    bool writing; /* there is a thread to be joined */
    bool done;    /* it has ended; under the lock */
    struct job job;
    double last;
};

struct ed_layers *ed_layers_create(void)
{
    struct ed_layers *layers = oro_alloc(1, sizeof *layers);
    if (!layers)
        return NULL;
    pthread_mutex_init(&layers->lock, NULL);
    layers->users = 1;
    return layers;
}

void ed_layers_retain(struct ed_layers *layers)
{
    layers->users++;
}

void ed_layers_release(struct ed_layers *layers)
{
    if (!layers || --layers->users > 0)
        return;
    ed_layers_flush(layers, NULL);
    for (size_t i = 0; i < layers->count; i++) {
        oro_free(layers->items[i]->layer.path);
        oro_free(layers->items[i]->layer.raster.data);
        oro_free(layers->items[i]);
    }
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

bool ed_is_layer_name(const char *file)
{
    size_t length = file ? strlen(file) : 0;
    return length > 4 && strstr(file, ".layers/") && strcmp(file + length - 4, ".png") == 0;
}

/* ---- Files ---- */

static bool write_raster(const char *path, const struct ed_canvas_raster *raster, struct oro_error *err)
{
    struct oro_heightfield field = {raster->width, raster->height, raster->data, raster->cell, true};
    struct oro_write_options options = {
        .has_range = true, .low = (double)raster->low, .high = (double)raster->high, .not_terrain = true};
    return oro_heightfield_write(path, &field, &options, err);
}

bool ed_layer_write_new(const char *path, const struct oro_grid *grid, double low, double high, double value,
                        struct oro_error *err)
{
    char *folder = oro_copy_text(path), *slash = folder ? strrchr(folder, '/') : NULL;
    size_t cells = oro_grid_cells(grid);
    struct ed_canvas_raster raster = {grid->width, grid->height, grid->cell, (float)low, (float)high, NULL};
    raster.data = oro_alloc(cells, sizeof *raster.data);
    bool ok = folder && raster.data;
    if (!ok)
        oro_fail(err, ORO_E_MEMORY, "not enough memory for a layer of %d x %d cells", grid->width,
                 grid->height);
    if (ok && slash) {
        *slash = '\0';
        ok = oro_make_folders(folder, err);
    }
    for (size_t i = 0; ok && i < cells; i++)
        raster.data[i] = (float)value;
    ok = ok && write_raster(path, &raster, err);
    oro_free(folder);
    oro_free(raster.data);
    return ok;
}

static bool read_layer(struct open_layer *open, double low, double high, double extent, struct oro_error *err)
{
    struct oro_heightfield field = {0};
    struct oro_read_options options = {.has_range = true, .low = low, .high = high, .no_sidecar = true};
    if (!oro_heightfield_read(open->layer.path, &options, &field, err))
        return false;
    struct ed_canvas_raster *raster = &open->layer.raster;
    oro_free(raster->data);
    *raster = (struct ed_canvas_raster){field.width, field.height, extent / field.width,
                                        (float)low,  (float)high,  field.data};
    open->stamp = oro_stamp_of(open->layer.path);
    open->written = ++open->layer.serial;
    return true;
}

static struct open_layer *find(struct ed_layers *layers, const char *path)
{
    for (size_t i = 0; i < layers->count; i++)
        if (strcmp(layers->items[i]->layer.path, path) == 0)
            return layers->items[i];
    return NULL;
}

/* An empty place for a layer; it counts only once it was read. */
static struct open_layer *place_for(struct ed_layers *layers, const char *path, struct oro_error *err)
{
    void *items = layers->items;
    struct open_layer *open = oro_alloc(1, sizeof *open);
    bool room = oro_reserve(&items, &layers->capacity, layers->count + 1, sizeof *layers->items);
    layers->items = items;
    if (room && open && (open->layer.path = oro_copy_text(path)))
        return open;
    oro_free(open);
    oro_fail(err, ORO_E_MEMORY, "not enough memory for '%s'", path);
    return NULL;
}

/* What was changed here is newer than any file. */
static bool is_current(const struct ed_layers *layers, const struct open_layer *open, double low, double high)
{
    const struct ed_canvas_raster *raster = &open->layer.raster;
    struct oro_stamp stamp = oro_stamp_of(open->layer.path);
    bool writing = layers->writing && strcmp(layers->job.path, open->layer.path) == 0;
    return open->written != open->layer.serial || writing ||
           (oro_stamp_equal(&stamp, &open->stamp) && raster->low == (float)low &&
            raster->high == (float)high);
}

struct ed_layer *ed_layers_open(struct ed_layers *layers, const char *path, double low, double high,
                                double extent, struct oro_error *err)
{
    struct open_layer *open = find(layers, path);
    if (open && is_current(layers, open, low, high)) {
        open->layer.raster.cell = extent / open->layer.raster.width;
        return &open->layer;
    }
    if (open)
        return read_layer(open, low, high, extent, err) ? &open->layer : NULL;
    open = place_for(layers, path, err);
    if (!open)
        return NULL;
    if (!read_layer(open, low, high, extent, err)) {
        oro_free(open->layer.path);
        oro_free(open);
        return NULL;
    }
    layers->items[layers->count++] = open;
    return &open->layer;
}

/* ---- Writing ---- */

void ed_layer_changed(struct ed_layers *layers, struct ed_layer *layer)
{
    struct open_layer *open = find(layers, layer->path);
    layer->serial++;
    if (open)
        open->failed = false;
}

static void *write_job(void *user)
{
    struct ed_layers *layers = user;
    struct job *job = &layers->job;
    bool ok = write_raster(job->path, &job->raster, &job->err);
    pthread_mutex_lock(&layers->lock);
    job->ok = ok;
    layers->done = true;
    pthread_mutex_unlock(&layers->lock);
    return NULL;
}

static bool begin_job(struct ed_layers *layers, const struct open_layer *open)
{
    const struct ed_canvas_raster *raster = &open->layer.raster;
    size_t cells = (size_t)raster->width * (size_t)raster->height;
    struct job *job = &layers->job;
    *job = (struct job){.path = oro_copy_text(open->layer.path), .raster = *raster};
    job->raster.data = oro_alloc(cells, sizeof *job->raster.data);
    job->serial = open->layer.serial;
    layers->done = false;
    if (job->path && job->raster.data) {
        memcpy(job->raster.data, raster->data, cells * sizeof *raster->data);
        if (pthread_create(&layers->thread, NULL, write_job, layers) == 0)
            return layers->writing = true;
    }
    oro_free(job->path);
    oro_free(job->raster.data);
    *job = (struct job){0};
    return false;
}

/* After the thread has ended, or waiting for that. */
static bool end_job(struct ed_layers *layers, struct oro_error *err)
{
    struct job *job = &layers->job;
    pthread_join(layers->thread, NULL);
    layers->writing = false;
    struct open_layer *open = find(layers, job->path);
    bool ok = job->ok;
    if (open && ok) {
        open->written = job->serial;
        open->stamp = oro_stamp_of(job->path);
    } else if (open)
        open->failed = true;
    if (!ok && err)
        *err = job->err;
    oro_free(job->path);
    oro_free(job->raster.data);
    *job = (struct job){0};
    return ok;
}

static struct open_layer *to_write(struct ed_layers *layers)
{
    for (size_t i = 0; i < layers->count; i++)
        if (layers->items[i]->written != layers->items[i]->layer.serial && !layers->items[i]->failed)
            return layers->items[i];
    return NULL;
}

bool ed_layers_tick(struct ed_layers *layers, double now, double pause, struct oro_error *err)
{
    bool wrote = false, done = false;
    *err = (struct oro_error){0};
    if (layers->writing) {
        pthread_mutex_lock(&layers->lock);
        done = layers->done;
        pthread_mutex_unlock(&layers->lock);
    }
    if (done)
        wrote = end_job(layers, err);
    struct open_layer *open = layers->writing || now - layers->last < pause ? NULL : to_write(layers);
    if (open && begin_job(layers, open))
        layers->last = now;
    return wrote;
}

bool ed_layers_writing(const struct ed_layers *layers)
{
    return layers->writing || to_write((struct ed_layers *)layers);
}

bool ed_layers_flush(struct ed_layers *layers, struct oro_error *err)
{
    bool ok = !layers->writing || end_job(layers, err);
    for (size_t i = 0; i < layers->count; i++) {
        struct open_layer *open = layers->items[i];
        if (open->written == open->layer.serial)
            continue;
        if (!write_raster(open->layer.path, &open->layer.raster, err)) {
            ok = false;
            continue;
        }
        open->written = open->layer.serial;
        open->stamp = oro_stamp_of(open->layer.path);
    }
    return ok;
}

/* ---- History ---- */

struct step {
    struct ed_layers *layers;
    char *path;
    double low, high, extent;
    int width, height; /* of the raster that it was done on */
    struct ed_patch_rect rect;
    float *before, *after;
};

static void forget(void *user)
{
    struct step *step = user;
    oro_free(step->path);
    oro_free(step->before);
    oro_free(step->after);
    ed_layers_release(step->layers);
    oro_free(step);
}

static bool apply(void *user, bool undo, struct oro_error *err)
{
    struct step *step = user;
    struct ed_layer *layer =
        ed_layers_open(step->layers, step->path, step->low, step->high, step->extent, err);
    if (!layer)
        return false;
    if (layer->raster.width != step->width || layer->raster.height != step->height)
        return oro_fail(err, ORO_E_FILE, "'%s' has another size than when it was painted", step->path);
    ed_patch_put(layer->raster.data, step->width, step->rect, undo ? step->before : step->after);
    ed_layer_changed(step->layers, layer);
    return true;
}

bool ed_layer_did(struct ed_layers *layers, struct ed_layer *layer, const struct ed_stroke *stroke,
                  double extent, struct ed_project *project, struct oro_error *err)
{
    const struct ed_canvas_raster *raster = &layer->raster;
    struct step *step = oro_alloc(1, sizeof *step);
    if (!step)
        return oro_fail(err, ORO_E_MEMORY, "not enough memory to undo this stroke");
    *step = (struct step){.layers = layers,
                          .path = oro_copy_text(layer->path),
                          .low = (double)raster->low,
                          .high = (double)raster->high,
                          .extent = extent,
                          .width = raster->width,
                          .height = raster->height,
                          .rect = stroke->changed,
                          .before = ed_patch_take(stroke->before, raster->width, stroke->changed),
                          .after = ed_patch_take(raster->data, raster->width, stroke->changed)};
    ed_layers_retain(layers);
    size_t cells = (size_t)stroke->changed.width * (size_t)stroke->changed.height;
    struct ed_foreign_step foreign = {"brush stroke", apply, forget, step,
                                      sizeof *step + 2 * cells * sizeof(float)};
    if (step->path && step->before && step->after)
        return ed_project_did(project, &foreign, err); /* which forgets it where it fails */
    forget(step);
    return oro_fail(err, ORO_E_MEMORY, "not enough memory to undo this stroke");
}
