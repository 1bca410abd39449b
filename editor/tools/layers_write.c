/* Writes working copies of painted layers, in a thread. */
#include <string.h>

#include <unistd.h>

#include "base/memory.h"
#include "editor/tools/layers_private.h"
#include "formats/format.h"

/* Makes the folder, too: it may have been deleted. */
static bool write_raster(const char *path, const struct ed_canvas_raster *raster, struct oro_error *err)
{
    char *folder = oro_copy_text(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    bool there = folder ? !slash || oro_make_folders(folder, err)
                        : oro_fail(err, ORO_E_MEMORY, "not enough memory to write '%s'", path);
    oro_free(folder);
    struct oro_heightfield field = {.width = raster->width,
                                    .height = raster->height,
                                    .data = raster->data,
                                    .cell = raster->cell,
                                    .metres = true};
    struct oro_write_options options = {
        .has_range = true, .low = (double)raster->low, .high = (double)raster->high, .not_terrain = true};
    return there && oro_heightfield_write(path, &field, &options, err);
}

bool ed_layer_is_written(const struct ed_layers *layers, const struct ed_open_layer *open)
{
    return layers->writing && strcmp(layers->job.path, open->layer.path) == 0;
}

/* ---- The thread ---- */

static void *write_job(void *user)
{
    struct ed_layers *layers = user;
    struct ed_layer_job *job = &layers->job;
    bool ok = write_raster(job->file, &job->raster, &job->err);
    pthread_mutex_lock(&layers->lock);
    job->ok = ok;
    layers->done = true;
    pthread_mutex_unlock(&layers->lock);
    return NULL;
}

static void free_job(struct ed_layer_job *job)
{
    oro_free(job->path);
    oro_free(job->file);
    oro_free(job->raster.data);
    *job = (struct ed_layer_job){0};
}

static bool begin_job(struct ed_layers *layers, struct ed_open_layer *open, struct oro_error *err)
{
    const struct ed_canvas_raster *raster = &open->layer.raster;
    size_t cells = (size_t)raster->width * (size_t)raster->height;
    const char *file = ed_working_place(layers->working, open->layer.path, err);
    if (!file) {
        open->failed = true;
        return false;
    }
    struct ed_layer_job *job = &layers->job;
    *job = (struct ed_layer_job){.path = oro_copy_text(open->layer.path),
                                 .file = oro_copy_text(file),
                                 .raster = *raster,
                                 .serial = open->layer.serial};
    job->raster.data = oro_alloc(cells, sizeof *job->raster.data);
    layers->done = false;
    if (job->path && job->file && job->raster.data) {
        memcpy(job->raster.data, raster->data, cells * sizeof *raster->data);
        if (pthread_create(&layers->thread, NULL, write_job, layers) == 0)
            return layers->writing = true;
    }
    free_job(job);
    return false;
}

static bool wrote(struct ed_layers *layers, struct ed_open_layer *open, uint64_t serial,
                  struct oro_error *err)
{
    open->written = serial;
    return ed_layer_is_clean(open) || ed_working_wrote(layers->working, open->layer.path, err);
}

/* Cleans up after the thread, waiting for its end if necessary. */
static bool end_job(struct ed_layers *layers, struct oro_error *err)
{
    struct ed_layer_job *job = &layers->job;
    pthread_join(layers->thread, NULL);
    layers->writing = false;
    struct ed_open_layer *open = ed_layers_find(layers, job->path);
    bool ok = job->ok;
    if (!ok && err)
        *err = job->err;
    if (open && ok)
        ok = wrote(layers, open, job->serial, err);
    if (open && !ok)
        open->failed = true;
    free_job(job);
    return ok;
}

void ed_layers_drop_job(struct ed_layers *layers)
{
    if (!layers->writing)
        return;
    pthread_join(layers->thread, NULL);
    layers->writing = false;
    char *sidecar = ed_layer_sidecar(layers->job.file);
    unlink(layers->job.file);
    if (sidecar)
        unlink(sidecar);
    oro_free(sidecar);
    free_job(&layers->job);
}

/* ---- What is to be written ---- */

static bool is_behind(const struct ed_open_layer *open)
{
    return open->written != open->layer.serial && !open->failed;
}

/* A layer that is as its file again, such as after an undo, needs no working copy. */
static bool settle_clean(struct ed_layers *layers)
{
    bool any = false;
    for (size_t i = 0; i < layers->count; i++) {
        struct ed_open_layer *open = layers->items[i];
        if (!is_behind(open) || !ed_layer_is_clean(open) || ed_layer_is_written(layers, open))
            continue;
        open->written = open->layer.serial;
        ed_working_same(layers->working, open->layer.path);
        any = true;
    }
    return any;
}

static struct ed_open_layer *to_write(const struct ed_layers *layers)
{
    for (size_t i = 0; i < layers->count; i++)
        if (is_behind(layers->items[i]) && !ed_layer_is_clean(layers->items[i]))
            return layers->items[i];
    return NULL;
}

bool ed_layers_tick(struct ed_layers *layers, double now, double pause, struct oro_error *err)
{
    bool fresh = false, done = false;
    *err = (struct oro_error){0};
    if (layers->writing) {
        pthread_mutex_lock(&layers->lock);
        done = layers->done;
        pthread_mutex_unlock(&layers->lock);
    }
    if (done)
        fresh = end_job(layers, err);
    fresh = settle_clean(layers) || fresh;
    struct ed_open_layer *open = layers->writing || now - layers->last < pause ? NULL : to_write(layers);
    if (open && begin_job(layers, open, err))
        layers->last = now;
    return fresh;
}

bool ed_layers_writing(const struct ed_layers *layers)
{
    return layers->writing || to_write(layers);
}

bool ed_layers_flush(struct ed_layers *layers, struct oro_error *err)
{
    bool ok = true;
    if (layers->writing)
        end_job(layers, NULL); /* if it failed, it is tried again */
    settle_clean(layers);
    for (size_t i = 0; i < layers->count; i++) {
        struct ed_open_layer *open = layers->items[i];
        if (open->written == open->layer.serial)
            continue;
        const char *file = ed_working_place(layers->working, open->layer.path, err);
        bool done = file && write_raster(file, &open->layer.raster, err) &&
                    wrote(layers, open, open->layer.serial, err);
        open->failed = !done;
        ok = ok && done;
    }
    return ok;
}
