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
    uint64_t used;          /* time of last use: the higher, the later */
    bool failed;            /* the last write failed: the next try follows the next change */
};

/* The thread's job: a copy of a layer, to be written. */
struct job {
    char *path;
    struct ed_canvas_raster raster;
    uint64_t serial;
    bool ok;
    struct oro_error err;
};

/* A layer's move to another file, as its document was saved under another name. */
struct move {
    char *from, *to;
};

struct ed_layers {
    int users;
    struct move *moves;
    size_t move_count, move_capacity;
    struct open_layer **items; /* each stays at its place until it is closed */
    uint64_t uses;
    size_t count, capacity;
    pthread_t thread;
    pthread_mutex_t lock;
    bool writing; /* there is a thread to be joined */
    bool done;    /* it has ended; under the lock */
    struct job job;
    double last;
};

static bool end_job(struct ed_layers *layers, struct oro_error *err);

struct ed_layers *ed_layers_create(void)
{
    struct ed_layers *layers = oro_alloc(1, sizeof *layers);
    if (!layers)
        return NULL;
    pthread_mutex_init(&layers->lock, NULL);
    layers->users = 1;
    return layers;
}

static void retain(struct ed_layers *layers)
{
    layers->users++;
}

static void close_layer(struct ed_layers *layers, size_t index)
{
    struct open_layer *open = layers->items[index];
    oro_free(open->layer.path);
    oro_free(open->layer.raster.data);
    oro_free(open);
    layers->items[index] = layers->items[--layers->count];
}

void ed_layers_release(struct ed_layers *layers)
{
    if (!layers || --layers->users > 0)
        return;
    ed_layers_flush(layers, NULL);
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

/* ---- Files ---- */

static bool make_folder_of(const char *path, struct oro_error *err)
{
    char *folder = oro_copy_text(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    bool there = folder ? !slash || oro_make_folders(folder, err)
                        : oro_fail(err, ORO_E_MEMORY, "not enough memory to write '%s'", path);
    oro_free(folder);
    return there;
}

/* Makes the folder, too: it may have been deleted. */
static bool write_raster(const char *path, const struct ed_canvas_raster *raster, struct oro_error *err)
{
    if (!make_folder_of(path, err))
        return false;
    struct oro_heightfield field = {.width = raster->width,
                                    .height = raster->height,
                                    .data = raster->data,
                                    .cell = raster->cell,
                                    .metres = true};
    struct oro_write_options options = {
        .has_range = true, .low = (double)raster->low, .high = (double)raster->high, .not_terrain = true};
    return oro_heightfield_write(path, &field, &options, err);
}

bool ed_layer_write_new(const char *path, const struct oro_grid *grid, double low, double high, double value,
                        struct oro_error *err)
{
    size_t cells = oro_grid_cells(grid);
    struct ed_canvas_raster raster = {grid->width, grid->height, grid->cell, (float)low,
                                      (float)high, NULL,         0};
    raster.data = oro_alloc(cells, sizeof *raster.data);
    if (!raster.data)
        return oro_fail(err, ORO_E_MEMORY, "not enough memory for a layer of %d x %d cells", grid->width,
                        grid->height);
    for (size_t i = 0; i < cells; i++)
        raster.data[i] = (float)value;
    bool ok = write_raster(path, &raster, err);
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
    *raster = (struct ed_canvas_raster){field.width, field.height, extent / field.width, (float)low,
                                        (float)high, field.data,   raster->cell_y};
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

/* A new entry for a layer, which is kept only once the layer was read. */
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

/* A layer changed here is newer than any file, and the only copy if its file was deleted. */
static bool is_current(const struct ed_layers *layers, const struct open_layer *open, double low, double high)
{
    static const struct oro_stamp nothing;
    const struct ed_canvas_raster *raster = &open->layer.raster;
    struct oro_stamp stamp = oro_stamp_of(open->layer.path);
    bool writing = layers->writing && strcmp(layers->job.path, open->layer.path) == 0;
    return open->written != open->layer.serial || writing ||
           ((oro_stamp_equal(&stamp, &open->stamp) || oro_stamp_equal(&stamp, &nothing)) &&
            raster->low == (float)low && raster->high == (float)high);
}

struct ed_layer *ed_layers_open(struct ed_layers *layers, const char *path, double low, double high,
                                double extent, struct oro_error *err)
{
    struct open_layer *open = find(layers, path);
    if (open)
        open->used = ++layers->uses;
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
    open->used = ++layers->uses;
    layers->items[layers->count++] = open;
    return &open->layer;
}

/* ---- Closing ---- */

static size_t bytes_of(const struct ed_canvas_raster *raster)
{
    return (size_t)raster->width * (size_t)raster->height * sizeof *raster->data;
}

size_t ed_layers_bytes(const struct ed_layers *layers)
{
    size_t bytes = 0;
    for (size_t i = 0; i < layers->count; i++)
        bytes += bytes_of(&layers->items[i]->layer.raster);
    return bytes;
}

void ed_layers_trim(struct ed_layers *layers, const struct ed_layer *keep, size_t bytes)
{
    size_t held = ed_layers_bytes(layers);
    while (held > bytes) {
        size_t oldest = layers->count;
        for (size_t i = 0; i < layers->count; i++) {
            const struct open_layer *open = layers->items[i];
            bool closable = &open->layer != keep && open->written == open->layer.serial;
            if (closable && (oldest == layers->count || open->used < layers->items[oldest]->used))
                oldest = i;
        }
        if (oldest == layers->count)
            return;
        held -= bytes_of(&layers->items[oldest]->layer.raster);
        close_layer(layers, oldest);
    }
}

void ed_layers_clear(struct ed_layers *layers)
{
    if (layers->writing)
        end_job(layers, NULL);
    while (layers->count > 0)
        close_layer(layers, layers->count - 1);
    for (size_t i = 0; i < layers->move_count; i++) {
        oro_free(layers->moves[i].from);
        oro_free(layers->moves[i].to);
    }
    oro_free(layers->moves);
    layers->moves = NULL;
    layers->move_count = layers->move_capacity = 0;
}

bool ed_layers_moved(struct ed_layers *layers, const char *from, const char *to)
{
    void *moves = layers->moves;
    struct move move = {oro_copy_text(from), oro_copy_text(to)};
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

/* Where a layer of the document, which was at `path` before the move `since`, is now. */
static const char *moved_path(const struct ed_layers *layers, const char *path, size_t since)
{
    for (size_t i = since; i < layers->move_count; i++)
        if (strcmp(layers->moves[i].from, path) == 0)
            path = layers->moves[i].to;
    return path;
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

/* Cleans up after the thread, waiting for its end if necessary. */
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

/* ---- Copying ---- */

static bool copy_file(const char *from, const char *to, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    if (!oro_file_read(from, (size_t)1 << 30, &data, &size, err))
        return false;
    bool ok = oro_file_write(to, data, size, err);
    oro_free(data);
    return ok;
}

bool ed_layers_unwritten(const struct ed_layers *layers, const char *path)
{
    static const struct oro_stamp nothing;
    const struct open_layer *open = find((struct ed_layers *)layers, path);
    struct oro_stamp stamp = oro_stamp_of(path);
    return open && (open->written != open->layer.serial || oro_stamp_equal(&stamp, &nothing));
}

bool ed_layers_copy(struct ed_layers *layers, const char *from, const char *to, struct oro_error *err)
{
    static const struct oro_stamp nothing;
    if (layers->writing)
        end_job(layers, NULL); /* if it failed, the layer is copied from memory */
    if (ed_layers_unwritten(layers, from))
        return write_raster(to, &find(layers, from)->layer.raster, err);
    char *from_sidecar = ed_layer_sidecar(from), *to_sidecar = ed_layer_sidecar(to);
    bool ok = (from_sidecar && to_sidecar) || oro_fail(err, ORO_E_MEMORY, "no memory to copy '%s'", from);
    struct oro_stamp stamp = ok ? oro_stamp_of(from_sidecar) : nothing;
    ok = ok && make_folder_of(to, err) && copy_file(from, to, err) &&
         (oro_stamp_equal(&stamp, &nothing) || copy_file(from_sidecar, to_sidecar, err));
    oro_free(from_sidecar);
    oro_free(to_sidecar);
    return ok;
}

/* ---- History ---- */

/* Only tiles that differ are kept: a stroke across a large layer touches few of them. */
enum { TILE = 64 };

struct tile {
    struct ed_patch_rect rect;
    float *before, *after;
};
struct step {
    struct ed_layers *layers;
    char *path;
    size_t moves; /* how many moves there had been when it was done */
    double low, high, extent;
    int width, height; /* of the raster that it was done on */
    struct tile *tiles;
    size_t count, capacity;
};

static void forget(void *user)
{
    struct step *step = user;
    for (size_t i = 0; i < step->count; i++) {
        oro_free(step->tiles[i].before);
        oro_free(step->tiles[i].after);
    }
    oro_free(step->tiles);
    oro_free(step->path);
    ed_layers_release(step->layers);
    oro_free(step);
}

static bool apply(void *user, bool undo, struct oro_error *err)
{
    struct step *step = user;
    const char *path = moved_path(step->layers, step->path, step->moves);
    struct ed_layer *layer = ed_layers_open(step->layers, path, step->low, step->high, step->extent, err);
    if (!layer)
        return false;
    if (layer->raster.width != step->width || layer->raster.height != step->height)
        return oro_fail(err, ORO_E_FILE, "'%s' has another size than when it was painted", path);
    for (size_t i = 0; i < step->count; i++) {
        const struct tile *tile = &step->tiles[i];
        ed_patch_put(layer->raster.data, step->width, tile->rect, undo ? tile->before : tile->after);
    }
    ed_layer_changed(step->layers, layer);
    return true;
}

static bool differs(const float *a, const float *b, int width, struct ed_patch_rect rect)
{
    for (int y = rect.y; y < rect.y + rect.height; y++) {
        size_t at = (size_t)y * (size_t)width + (size_t)rect.x;
        if (memcmp(a + at, b + at, (size_t)rect.width * sizeof *a) != 0)
            return true;
    }
    return false;
}

static bool keep_tile(struct step *step, const float *before, const float *after, struct ed_patch_rect rect)
{
    void *tiles = step->tiles;
    if (!differs(before, after, step->width, rect))
        return true;
    bool room = oro_reserve(&tiles, &step->capacity, step->count + 1, sizeof *step->tiles);
    step->tiles = tiles;
    if (!room)
        return false;
    struct tile *tile = &step->tiles[step->count++];
    *tile = (struct tile){rect, ed_patch_take(before, step->width, rect),
                          ed_patch_take(after, step->width, rect)};
    return tile->before && tile->after;
}

static bool keep_tiles(struct step *step, const float *before, const float *after,
                       struct ed_patch_rect changed)
{
    int right = changed.x + changed.width, bottom = changed.y + changed.height;
    for (int y = changed.y; y < bottom; y += TILE)
        for (int x = changed.x; x < right; x += TILE) {
            struct ed_patch_rect rect = {x, y, right - x < TILE ? right - x : TILE,
                                         bottom - y < TILE ? bottom - y : TILE};
            if (!keep_tile(step, before, after, rect))
                return false;
        }
    return true;
}

static size_t step_bytes(const struct step *step)
{
    size_t bytes = sizeof *step;
    for (size_t i = 0; i < step->count; i++) {
        const struct ed_patch_rect *rect = &step->tiles[i].rect;
        bytes += sizeof step->tiles[i] + 2 * sizeof(float) * (size_t)rect->width * (size_t)rect->height;
    }
    return bytes;
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
                          .moves = layers->move_count,
                          .low = (double)raster->low,
                          .high = (double)raster->high,
                          .extent = extent,
                          .width = raster->width,
                          .height = raster->height};
    retain(layers);
    bool ok = step->path && keep_tiles(step, stroke->before, raster->data, stroke->changed);
    if (ok && step->count > 0) {
        struct ed_foreign_step foreign = {"brush stroke", apply, forget, step, step_bytes(step)};
        return ed_project_did(project, &foreign, err); /* which forgets it where it fails */
    }
    forget(step);
    return ok || oro_fail(err, ORO_E_MEMORY, "not enough memory to undo this stroke");
}
