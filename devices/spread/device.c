/* The device: what the engine calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "devices/spread/alone.h"
#include "devices/spread/internal.h"

/* ---- Buffers ---- */

static struct oro_buffer *account(struct oro_device *device, struct oro_buffer *buffer)
{
    if (!buffer)
        return NULL;
    device->used_bytes += tiled_of(buffer)->bytes;
    if (device->used_bytes > device->peak_bytes)
        device->peak_bytes = device->used_bytes;
    return buffer;
}

static struct oro_buffer *buffer_create(struct oro_device *device, size_t bytes, struct oro_error *err)
{
    return account(device, oro_tiled_buffer_create(spread_of(device), bytes, NULL, 0, err));
}

static struct oro_buffer *raster_create(struct oro_device *device, const struct oro_grid *grid, int channels,
                                        struct oro_error *err)
{
    if (grid->width < 1 || grid->height < 1 || channels < 1) {
        oro_fail(err, ORO_E_DEVICE, "a raster without cells");
        return NULL;
    }
    size_t bytes = oro_grid_cells(grid) * (size_t)channels * WORD;
    return account(device, oro_tiled_buffer_create(spread_of(device), bytes, grid, channels, err));
}

static void buffer_destroy(struct oro_device *device, struct oro_buffer *buffer)
{
    struct spread *spread = spread_of(device);
    struct tiled_buffer *tiled = tiled_of(buffer);
    if (!tiled)
        return;
    if (tiled->generation == spread->generation)
        device->used_bytes -= tiled->bytes;
    if (tiled->use)
        tiled->dead = true;
    else
        oro_tiled_buffer_free(spread, tiled);
}

/* Runs the chain if it has a use for the buffer. */
static bool end_use(struct spread *spread, const struct tiled_buffer *tiled, struct oro_error *err)
{
    return !tiled->use || oro_chain_run(spread, NULL, err);
}

static bool upload(struct oro_device *device, struct oro_buffer *buffer, const void *data, size_t bytes,
                   struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    struct tiled_buffer *tiled = tiled_of(buffer);
    if (!oro_tiled_buffer_usable(spread, tiled, bytes, err) || !end_use(spread, tiled, err))
        return false;
    if (tiled->spread)
        return oro_spread_upload(spread, tiled, data, bytes, err);
    struct oro_buffer *whole = oro_tiled_buffer_buffer(spread, tiled, err);
    return whole && spread->inner->ops->upload(spread->inner, whole, data, bytes, err);
}

static bool download(struct oro_device *device, struct oro_buffer *buffer, void *data, size_t bytes,
                     struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    struct tiled_buffer *tiled = tiled_of(buffer);
    if (!oro_tiled_buffer_usable(spread, tiled, bytes, err))
        return false;
    if (tiled->spread)
        return end_use(spread, tiled, err) && oro_spread_download(spread, tiled, data, bytes, err);
    struct oro_buffer *whole = oro_tiled_buffer_buffer(spread, tiled, err);
    return whole && spread->inner->ops->download(spread->inner, whole, data, bytes, err);
}

static void discard(struct oro_device *device, struct oro_buffer *buffer)
{
    struct spread *spread = spread_of(device);
    struct tiled_buffer *tiled = tiled_of(buffer);
    if (!oro_tiled_buffer_usable(spread, tiled, 0, NULL))
        return;
    if (tiled->use)
        spread->chain.uses[tiled->use - 1].discarded = true;
    else if (tiled->spread)
        for (size_t i = 0; i < tiled->tiling.count; i++)
            oro_tile_drop(spread, &tiled->tiles[i]);
}

static bool copy_by_host(struct oro_device *device, struct oro_buffer *from, struct oro_buffer *to,
                         size_t bytes, struct oro_error *err)
{
    void *cells = oro_alloc(bytes ? bytes : 1, 1);
    bool ok = cells || oro_fail(err, ORO_E_MEMORY, "no memory to put a raster together");
    ok = ok && download(device, from, cells, bytes, err) && upload(device, to, cells, bytes, err);
    oro_free(cells);
    return ok;
}

static bool copy(struct oro_device *device, struct oro_buffer *from, struct oro_buffer *to, size_t bytes,
                 struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    struct tiled_buffer *a = tiled_of(from), *b = tiled_of(to);
    if (!oro_tiled_buffer_usable(spread, a, bytes, err) || !oro_tiled_buffer_usable(spread, b, bytes, err))
        return false;
    if (a == b)
        return true;
    if (!a->spread && !b->spread) {
        struct oro_device *inner = spread->inner;
        return end_use(spread, b, err) && oro_tiled_buffer_buffer(spread, a, err) &&
               oro_tiled_buffer_buffer(spread, b, err) &&
               inner->ops->copy(inner, a->buffer, b->buffer, bytes, err);
    }
    if (a->width != b->width || a->height != b->height || a->channels != b->channels || bytes != a->bytes)
        return copy_by_host(device, from, to, bytes, err);
    struct oro_buffer *const buffers[] = {from, to};
    struct oro_grid grid = {.width = a->width, .height = a->height, .cell = 1};
    struct oro_device_dispatch recorded = {.buffers = buffers,
                                           .buffer_count = 2,
                                           .read = 1,
                                           .written = 2,
                                           .extent = {.grid = grid, .source = grid, .reach = ORO_REACH_CELL}};
    const char *why;
    return oro_chain_add(spread, &recorded, &why, err);
}

/* ---- Kernels ---- */

static bool kernel_digest(struct oro_device *device, const char *file, struct oro_hash *digest,
                          struct oro_error *err)
{
    struct oro_device *inner = spread_of(device)->inner;
    return inner->ops->kernel_digest(inner, file, digest, err);
}

static struct oro_kernel *kernel(struct oro_device *device, const struct oro_kernel_source *source,
                                 struct oro_error *err)
{
    struct oro_device *inner = spread_of(device)->inner;
    return inner->ops->kernel(inner, source, err);
}

/* A dispatch on whole buffers: every rank does the same. */
static bool dispatch_whole(struct spread *spread, const struct oro_device_dispatch *dispatch,
                           struct oro_error *err)
{
    struct oro_buffer *buffers[ORO_BUFFERS_MAX];
    struct oro_device_dispatch same = *dispatch;
    for (int i = 0; i < dispatch->buffer_count; i++)
        if ((dispatch->written >> i & 1) && !end_use(spread, tiled_of(dispatch->buffers[i]), err))
            return false;
    for (int i = 0; i < dispatch->buffer_count; i++)
        if (!(buffers[i] = oro_tiled_buffer_buffer(spread, tiled_of(dispatch->buffers[i]), err)))
            return false;
    same.buffers = buffers;
    return spread->inner->ops->dispatch(spread->inner, &same, err);
}

/* A dispatch that has to see rasters as wholes gets them so, if they are small. */
static bool gather_all(struct spread *spread, const struct oro_device_dispatch *dispatch, const char *why,
                       struct oro_error *err)
{
    for (int i = 0; i < dispatch->buffer_count; i++)
        if (oro_tiled_buffer_is_large(spread, tiled_of(dispatch->buffers[i])))
            return oro_fail(err, ORO_E_LIMIT,
                            "cannot be spread: %s; use it before the resolution rises, or let larger rasters "
                            "be whole (--whole)",
                            why);
    for (int i = 0; i < dispatch->buffer_count; i++) {
        struct tiled_buffer *tiled = tiled_of(dispatch->buffers[i]);
        if (tiled->spread && (!end_use(spread, tiled, err) || !oro_tiled_buffer_gather(spread, tiled, err)))
            return false;
    }
    return true;
}

static bool dispatch(struct oro_device *device, const struct oro_device_dispatch *dispatch,
                     struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    bool is_spread = false;
    for (int i = 0; i < dispatch->buffer_count; i++) {
        if (!oro_tiled_buffer_usable(spread, tiled_of(dispatch->buffers[i]), 0, err))
            return false;
        is_spread = is_spread || tiled_of(dispatch->buffers[i])->spread;
    }
    if (dispatch->columns < 1 || dispatch->rows < 1)
        return true;
    device->dispatches++;
    const char *why;
    if (!is_spread)
        return dispatch_whole(spread, dispatch, err);
    if (oro_chain_add(spread, dispatch, &why, err))
        return true;
    return why && gather_all(spread, dispatch, why, err) && dispatch_whole(spread, dispatch, err);
}

static bool pace(struct oro_device *device, struct oro_error *err)
{
    struct oro_device *inner = spread_of(device)->inner;
    return inner->ops->pace(inner, err);
}

static bool finish(struct oro_device *device, struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    return oro_chain_run(spread, NULL, err) && spread->inner->ops->finish(spread->inner, err);
}

static bool timer_begin(struct oro_device *device)
{
    struct oro_device *inner = spread_of(device)->inner;
    return inner->ops->timer_begin(inner);
}

static double timer_end(struct oro_device *device)
{
    struct oro_device *inner = spread_of(device)->inner;
    return inner->ops->timer_end(inner);
}

/* ---- Life ---- */

static void drop_staging(struct spread *spread)
{
    struct oro_device *inner = spread->inner;
    if (spread->staging)
        inner->ops->buffer_destroy(inner, spread->staging);
    spread->staging = NULL;
    spread->staging_bytes = 0;
}

static bool rebuild(struct oro_device *device, struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    oro_chain_clear(spread);
    drop_staging(spread);
    oro_spares_free(spread);
    memset(spread->copy_kernels, 0, sizeof spread->copy_kernels);
    spread->poison_kernel = NULL;
    spread->done = spread->queued;
    if (!spread->inner->ops->rebuild(spread->inner, err))
        return false;
    spread->generation++;
    device->used_bytes = 0;
    return true;
}

static void free_all(struct spread *spread)
{
    if (spread->alone)
        spread->alone->ops->destroy(spread->alone);
    oro_free(spread->chain.steps);
    oro_free(spread->chain.uses);
    oro_free(spread->transit);
    oro_free(spread->folder);
    oro_free(spread);
}

static void destroy(struct oro_device *device)
{
    struct spread *spread = spread_of(device);
    oro_chain_clear(spread);
    drop_staging(spread);
    oro_slots_close(spread);
    oro_spares_free(spread);
    spread->inner->ops->destroy(spread->inner);
    free_all(spread);
}

static const struct oro_device_ops ops = {
    .destroy = destroy,
    .buffer_create = buffer_create,
    .raster_create = raster_create,
    .buffer_destroy = buffer_destroy,
    .upload = upload,
    .download = download,
    .copy = copy,
    .discard = discard,
    .kernel_digest = kernel_digest,
    .kernel = kernel,
    .dispatch = dispatch,
    .pace = pace,
    .finish = finish,
    .timer_begin = timer_begin,
    .timer_end = timer_end,
    .rebuild = rebuild,
};

static bool stop(void *user)
{
    const struct oro_device *device = user;
    return device->stop && device->stop(device->stop_user);
}

bool oro_spread_settle(struct oro_device *device, bool ok, struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    bool known = !ok && spread->agreed;
    if (!ok)
        oro_chain_clear(spread);
    if (!known)
        ok = spread->ranks->ops->agree(spread->ranks, ok, err);
    spread->agreed = false;
    return ok;
}

void oro_spread_cut_by(struct oro_device *device, int tile, int depth)
{
    spread_of(device)->options.tile = tile;
    spread_of(device)->options.depth = depth;
}

struct oro_spread_counts oro_spread_counts(const struct oro_device *device)
{
    return ((const struct spread *)device)->counts;
}

/* ---- Making one ---- */

static const char *folder_for_tiles(const struct oro_spread_options *options)
{
    const char *folder = options->folder ? options->folder : getenv("TMPDIR");
    return folder && *folder ? folder : "/var/tmp"; /* /tmp may be memory itself */
}

static bool set_up(struct spread *spread, const struct oro_spread_options *options, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct oro_spread_options *own = &spread->options;
    *own = *options;
    if (!own->whole)
        own->whole = (size_t)8192 * 8192;
    if (!own->tile)
        own->tile = 4096;
    if (!own->depth)
        own->depth = ORO_SPREAD_STEP;
    if (own->device_bytes)
        inner->budget_bytes = own->device_bytes;
    own->device_bytes = inner->budget_bytes ? inner->budget_bytes : SIZE_MAX;
    if (!own->host_bytes)
        own->host_bytes = oro_budget() / 2;
    if (own->tile < ORO_SPREAD_STEP || own->tile % ORO_SPREAD_STEP || own->tile > ORO_WHOLE_MAX)
        return oro_fail(err, ORO_E_USAGE,
                        "tiles of %d cells a side: it has to be a multiple of %d, and at most %d", own->tile,
                        ORO_SPREAD_STEP, ORO_WHOLE_MAX);
    if (own->depth < 0)
        return oro_fail(err, ORO_E_USAGE, "a halo of %d cells", own->depth);
    if (inner->ops->memory)
        return oro_fail(err, ORO_E_DEVICE,
                        "'%s' keeps rasters whole: tiles need a device that runs kernels (--device)",
                        inner->info.name);
    spread->folder = oro_copy_text(folder_for_tiles(options));
    own->folder = spread->folder;
    spread->alone = options->ranks ? NULL : oro_ranks_alone(err);
    spread->ranks = options->ranks ? options->ranks : spread->alone;
    return spread->folder && spread->ranks;
}

struct oro_device *oro_spread_create(struct oro_device *inner, const struct oro_spread_options *options,
                                     struct oro_error *err)
{
    struct spread *spread = oro_alloc(1, sizeof *spread);
    if (!spread) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a device");
        return NULL;
    }
    struct oro_error problem;
    oro_fail(&problem, ORO_E_MEMORY, "no memory for a device");
    spread->inner = inner;
    if (!set_up(spread, options, &problem)) {
        free_all(spread);
        if (err)
            *err = problem;
        return NULL;
    }
    spread->device.ops = &ops;
    spread->device.tiles = &oro_spread_tiles;
    spread->device.info = inner->info;
    spread->device.info.spread = true;
    inner->stop = stop;
    inner->stop_user = &spread->device;
    return &spread->device;
}
