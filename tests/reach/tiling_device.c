#include "tests/reach/tiling_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum { STEP = 32, TILE_STEPS_MAX = 3 }; /* cells that all windows are a multiple of; steps of a tile's side */
static const uint32_t poison = 0x7fc0dead;

struct raster {
    struct oro_buffer *buffer;
    struct oro_grid grid;
    int channels;
};

struct named {
    struct oro_kernel *kernel;
    char *file;
};

struct tiling {
    struct oro_device device;
    struct oro_device *inner;
    struct tiling_options options;
    uint32_t random;
    struct raster *rasters;
    size_t raster_count, raster_capacity;
    struct named *kernels;
    size_t kernel_count, kernel_capacity;
};

static struct tiling *of(struct oro_device *device)
{
    return (struct tiling *)device;
}

static struct raster *raster_of(const struct tiling *t, const struct oro_buffer *buffer)
{
    for (size_t i = 0; i < t->raster_count; i++)
        if (t->rasters[i].buffer == buffer)
            return &t->rasters[i];
    return NULL;
}

static size_t bytes_of(const struct raster *raster)
{
    return oro_grid_cells(&raster->grid) * (size_t)raster->channels * sizeof(float);
}

/* ---- Tiles ---- */

/* A tile of a dispatch: what it computes, and the parts of both grids that its buffers hold, with what it may
 * read of these. */
struct piece {
    struct oro_window tile;
    struct oro_window held[2], read[2]; /* of the grid, of the source */
};

/* One of the rasters of a dispatch. */
struct part {
    struct raster *raster;
    bool of_source, read, written;
    uint32_t *before, *after; /* all of it; `after` of what is written */
};

struct job {
    struct tiling *tiling;
    const struct oro_device_dispatch *dispatch;
    struct part parts[ORO_BUFFERS_MAX]; /* no raster: an array */
    char failure[200];
    int tiles;
};

static struct oro_window clipped(double west, double north, double east, double south,
                                 const struct oro_grid *grid)
{
    int x = (int)fmin(fmax(west, 0), grid->width - 1), y = (int)fmin(fmax(north, 0), grid->height - 1);
    int x_end = (int)fmax(fmin(east, grid->width), x + 1),
        y_end = (int)fmax(fmin(south, grid->height), y + 1);
    return (struct oro_window){x, y, x_end - x, y_end - y};
}

/* To multiples of STEP, and at times one more of them. */
static struct oro_window rounded_out(struct tiling *t, const struct oro_window *read,
                                     const struct oro_grid *grid)
{
    int more[4];
    for (int i = 0; i < 4; i++)
        more[i] = (int)oro_random_between(&t->random, 0, 2) * STEP;
    int x = read->x / STEP * STEP - more[0], y = read->y / STEP * STEP - more[1];
    int x_end = ((read->x + read->width - 1) / STEP + 1) * STEP + more[2];
    int y_end = ((read->y + read->height - 1) / STEP + 1) * STEP + more[3];
    return clipped(x, y, x_end, y_end, grid);
}

static bool within(const struct oro_window *window, int x, int y)
{
    return x >= window->x && y >= window->y && x < window->x + window->width &&
           y < window->y + window->height;
}

/* What the tile may read: as device.h says. */
static void place_windows(struct job *job, struct piece *piece)
{
    const struct oro_device_extent *e = &job->dispatch->extent;
    const struct oro_window *tile = &piece->tile;
    int reach = e->reach > 0 ? e->reach : 0, around = e->source_reach > 0 ? e->source_reach : 0;
    double scale = e->grid.cell / e->source.cell, x = (double)e->source_corner[0],
           y = (double)e->source_corner[1];
    piece->read[0] = clipped(tile->x - reach, tile->y - reach, tile->x + tile->width + reach,
                             tile->y + tile->height + reach, &e->grid);
    piece->read[1] =
        clipped(floor(x + tile->x * scale + 1e-4) - around, floor(y + tile->y * scale + 1e-4) - around,
                ceil(x + (tile->x + tile->width) * scale - 1e-4) + around,
                ceil(y + (tile->y + tile->height) * scale - 1e-4) + around, &e->source);
    piece->held[0] = rounded_out(job->tiling, &piece->read[0], &e->grid);
    piece->held[1] = oro_grid_same_size(&e->grid, &e->source)
                         ? piece->held[0]
                         : rounded_out(job->tiling, &piece->read[1], &e->source);
}

/* The buffer of a tile for a raster; NULL: failed. */
static struct oro_buffer *make_window(struct job *job, const struct part *part, const struct piece *piece,
                                      struct oro_error *err)
{
    const struct oro_window *held = &piece->held[part->of_source], *read = &piece->read[part->of_source];
    struct oro_device *inner = job->tiling->inner;
    size_t channels = (size_t)part->raster->channels, width = (size_t)part->raster->grid.width;
    size_t bytes = (size_t)held->width * (size_t)held->height * channels * sizeof(float);
    uint32_t *values = oro_alloc(bytes, 1), *at = values;
    for (int y = held->y; values && y < held->y + held->height; y++)
        for (int x = held->x; x < held->x + held->width; x++) {
            const uint32_t *from = part->before + channels * ((size_t)y * width + (size_t)x);
            for (size_t i = 0; i < channels; i++)
                *at++ = part->read && within(read, x, y) ? from[i] : poison;
        }
    struct oro_buffer *buffer = values ? inner->ops->buffer_create(inner, bytes, err) : NULL;
    if (buffer && !inner->ops->upload(inner, buffer, values, bytes, err)) {
        inner->ops->buffer_destroy(inner, buffer);
        buffer = NULL;
    }
    oro_free(values);
    return buffer;
}

static void put_window(unsigned char *grid, const struct oro_window *held)
{
    int window[3] = {held->width, held->x, held->y};
    memcpy(grid + ORO_GRID_WINDOW, window, sizeof window);
}

static bool launch(struct job *job, const struct piece *piece, struct oro_buffer *const *buffers,
                   struct oro_error *err)
{
    struct oro_device *inner = job->tiling->inner;
    struct oro_device_dispatch part = *job->dispatch;
    const struct oro_device_extent *e = &part.extent;
    unsigned char *constants = oro_alloc(part.constants_size, 1);
    if (!constants)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a tile");
    memcpy(constants, part.constants, part.constants_size);
    put_window(constants, &piece->held[0]);
    put_window(constants + ORO_GRID_BYTES, &piece->held[1]);
    part.constants = constants;
    part.buffers = buffers;
    part.first_column_group = piece->tile.x / e->cell_columns;
    part.first_row_group = piece->tile.y / e->cell_rows;
    part.columns = ((piece->tile.width - 1) / e->cell_columns + 1) * part.group_columns;
    part.rows = ((piece->tile.height - 1) / e->cell_rows + 1) * part.group_rows;
    bool ok = inner->ops->dispatch(inner, &part, err);
    oro_free(constants);
    return ok;
}

static const char *name_of(const struct tiling *t, const struct oro_kernel *kernel)
{
    for (size_t i = 0; i < t->kernel_count; i++)
        if (t->kernels[i].kernel == kernel)
            return t->kernels[i].file;
    return "?";
}

static bool compare_tile(struct job *job, int number, const struct piece *piece, struct oro_buffer *buffer,
                         struct oro_error *err)
{
    const struct part *part = &job->parts[number];
    const struct oro_window *held = &piece->held[0], *tile = &piece->tile;
    struct oro_device *inner = job->tiling->inner;
    size_t channels = (size_t)part->raster->channels, width = (size_t)part->raster->grid.width;
    size_t bytes = (size_t)held->width * (size_t)held->height * channels * sizeof(float);
    uint32_t *values = oro_alloc(bytes, 1);
    bool ok = values && inner->ops->download(inner, buffer, values, bytes, err);
    for (int y = tile->y; ok && y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t at = channels * ((size_t)(y - held->y) * (size_t)held->width + (size_t)(x - held->x));
            size_t of_whole = channels * ((size_t)y * width + (size_t)x);
            for (size_t i = 0; i < channels; i++)
                if (values[at + i] != part->after[of_whole + i] && !job->failure[0])
                    snprintf(job->failure, sizeof job->failure,
                             "buffer %d has %08x instead of %08x at %d, %d of %d x %d cells, in a tile at "
                             "%d, %d of %d x "
                             "%d",
                             number, values[at + i], part->after[of_whole + i], x, y,
                             part->raster->grid.width, part->raster->grid.height, tile->x, tile->y,
                             tile->width, tile->height);
        }
    oro_free(values);
    return ok;
}

static bool run_tile(struct job *job, struct piece *piece, struct oro_error *err)
{
    const struct oro_device_dispatch *d = job->dispatch;
    struct oro_device *inner = job->tiling->inner;
    struct oro_buffer *buffers[ORO_BUFFERS_MAX];
    bool ok = true;
    place_windows(job, piece);
    for (int i = 0; i < d->buffer_count; i++) {
        buffers[i] = d->buffers[i];
        if (job->parts[i].raster)
            buffers[i] = ok ? make_window(job, &job->parts[i], piece, err) : NULL;
        ok = ok && buffers[i];
    }
    ok = ok && launch(job, piece, buffers, err);
    for (int i = 0; i < d->buffer_count; i++)
        ok = ok && (!job->parts[i].written || compare_tile(job, i, piece, buffers[i], err));
    for (int i = 0; i < d->buffer_count; i++)
        if (job->parts[i].raster && buffers[i])
            inner->ops->buffer_destroy(inner, buffers[i]);
    job->tiles++;
    return ok;
}

/* All tiles: columns and rows of random widths. */
static bool run_tiles(struct job *job, struct oro_error *err)
{
    const struct oro_grid *grid = &job->dispatch->extent.grid;
    uint32_t *random = &job->tiling->random;
    int height;
    for (int y = 0; y < grid->height; y += height) {
        height = STEP * (1 + (int)oro_random_between(random, 0, TILE_STEPS_MAX));
        height = height < grid->height - y ? height : grid->height - y;
        int width;
        for (int x = 0; x < grid->width; x += width) {
            width = STEP * (1 + (int)oro_random_between(random, 0, TILE_STEPS_MAX));
            width = width < grid->width - x ? width : grid->width - x;
            if (!run_tile(job, &(struct piece){.tile = {x, y, width, height}}, err))
                return false;
        }
    }
    return true;
}

/* ---- Dispatches ---- */

static bool covers(int invocations, int group, int cells_of_group, int cells)
{
    return (invocations - 1) / group == (cells - 1) / cells_of_group;
}

/* Fills `job->parts`. Why it cannot be run by tiles; NULL: it can. */
static const char *plan_parts(struct job *job, bool *rasters)
{
    const struct oro_device_dispatch *d = job->dispatch;
    const struct oro_device_extent *e = &d->extent;
    const char *why = NULL;
    bool writes = false;
    *rasters = false;
    for (int i = 0; i < d->buffer_count; i++) {
        struct raster *raster = raster_of(job->tiling, d->buffers[i]);
        bool written = d->written >> i & 1, read = d->read >> i & 1;
        bool of_grid = raster && oro_grid_same_size(&raster->grid, &e->grid);
        bool of_source = raster && !of_grid && oro_grid_same_size(&raster->grid, &e->source);
        *rasters = *rasters || raster;
        writes = writes || (of_grid && written);
        job->parts[i] = (struct part){.raster = of_grid || of_source ? raster : NULL,
                                      .of_source = of_source,
                                      .read = read,
                                      .written = written};
        if (raster && !of_grid && !of_source)
            why = "has a raster of a third grid";
        else if (written && !of_grid)
            why = raster ? "writes a raster of another grid" : "writes an array";
        else if (of_source && e->source_reach == ORO_REACH_WHOLE)
            why = "reads anywhere in the other grid";
    }
    if (!why && e->reach == ORO_REACH_WHOLE)
        why = "reads anywhere";
    if (!why && (STEP % e->cell_columns || STEP % e->cell_rows))
        why = "has groups that do not fit into tiles";
    if (!why && (!covers(d->columns, d->group_columns, e->cell_columns, e->grid.width) ||
                 !covers(d->rows, d->group_rows, e->cell_rows, e->grid.height)))
        why = "has other invocations than for all cells";
    return why || writes ? why : "writes nothing";
}

/* The bits of rasters before the dispatch, or of what it writes after it. */
static bool fetch(struct job *job, bool after, struct oro_error *err)
{
    struct oro_device *inner = job->tiling->inner;
    for (int i = 0; i < job->dispatch->buffer_count; i++) {
        struct part *part = &job->parts[i];
        if (!part->raster || (after && !part->written))
            continue;
        uint32_t *values = oro_alloc(bytes_of(part->raster), 1);
        *(after ? &part->after : &part->before) = values;
        if (!values ||
            !inner->ops->download(inner, part->raster->buffer, values, bytes_of(part->raster), err))
            return false;
    }
    return true;
}

static bool run_both(struct job *job, struct oro_error *err)
{
    struct oro_device *inner = job->tiling->inner;
    bool ok = fetch(job, false, err) && inner->ops->dispatch(inner, job->dispatch, err) &&
              fetch(job, true, err) && run_tiles(job, err);
    for (int i = 0; i < job->dispatch->buffer_count; i++) {
        oro_free(job->parts[i].before);
        oro_free(job->parts[i].after);
    }
    return ok;
}

static bool dispatch(struct oro_device *device, const struct oro_device_dispatch *d, struct oro_error *err)
{
    struct tiling *t = of(device);
    struct job job = {.tiling = t, .dispatch = d};
    bool rasters;
    const char *why = plan_parts(&job, &rasters);
    bool ok = why ? t->inner->ops->dispatch(t->inner, d, err) : run_both(&job, err);
    if (rasters && t->options.ran)
        t->options.ran(t->options.user, &(struct tiling_run){.kernel = name_of(t, d->kernel),
                                                             .whole = why,
                                                             .failure = job.failure[0] ? job.failure : NULL,
                                                             .tiles = job.tiles});
    device->dispatches++;
    return ok;
}

/* ---- What goes straight to the device below ---- */

static void destroy(struct oro_device *device)
{
    struct tiling *t = of(device);
    t->inner->ops->destroy(t->inner);
    for (size_t i = 0; i < t->kernel_count; i++)
        oro_free(t->kernels[i].file);
    oro_free(t->kernels);
    oro_free(t->rasters);
    oro_free(t);
}

static struct oro_buffer *buffer_create(struct oro_device *device, size_t bytes, struct oro_error *err)
{
    return of(device)->inner->ops->buffer_create(of(device)->inner, bytes, err);
}

static struct oro_buffer *raster_create(struct oro_device *device, const struct oro_grid *grid, int channels,
                                        struct oro_error *err)
{
    struct tiling *t = of(device);
    struct raster raster = {.grid = *grid, .channels = channels};
    void *rasters = t->rasters;
    if (!oro_reserve(&rasters, &t->raster_capacity, t->raster_count + 1, sizeof *t->rasters)) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a raster");
        return NULL;
    }
    t->rasters = rasters;
    raster.buffer = t->inner->ops->buffer_create(t->inner, bytes_of(&raster), err);
    if (raster.buffer)
        t->rasters[t->raster_count++] = raster;
    return raster.buffer;
}

static void buffer_destroy(struct oro_device *device, struct oro_buffer *buffer)
{
    struct tiling *t = of(device);
    struct raster *raster = raster_of(t, buffer);
    if (raster)
        *raster = t->rasters[--t->raster_count];
    t->inner->ops->buffer_destroy(t->inner, buffer);
}

static bool upload(struct oro_device *device, struct oro_buffer *buffer, const void *data, size_t bytes,
                   struct oro_error *err)
{
    return of(device)->inner->ops->upload(of(device)->inner, buffer, data, bytes, err);
}

static bool download(struct oro_device *device, struct oro_buffer *buffer, void *data, size_t bytes,
                     struct oro_error *err)
{
    return of(device)->inner->ops->download(of(device)->inner, buffer, data, bytes, err);
}

static bool copy(struct oro_device *device, struct oro_buffer *from, struct oro_buffer *to, size_t bytes,
                 struct oro_error *err)
{
    return of(device)->inner->ops->copy(of(device)->inner, from, to, bytes, err);
}

static bool kernel_digest(struct oro_device *device, const char *file, struct oro_hash *digest,
                          struct oro_error *err)
{
    return of(device)->inner->ops->kernel_digest(of(device)->inner, file, digest, err);
}

static struct oro_kernel *make_kernel(struct oro_device *device, const struct oro_kernel_source *source,
                                      struct oro_error *err)
{
    struct tiling *t = of(device);
    struct oro_kernel *kernel = t->inner->ops->kernel(t->inner, source, err);
    void *kernels = t->kernels;
    if (!kernel || strcmp(name_of(t, kernel), "?") != 0)
        return kernel;
    if (!oro_reserve(&kernels, &t->kernel_capacity, t->kernel_count + 1, sizeof *t->kernels)) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a kernel");
        return NULL;
    }
    t->kernels = kernels;
    t->kernels[t->kernel_count++] = (struct named){kernel, oro_copy_text(source->file)};
    return kernel;
}

static bool pace(struct oro_device *device, struct oro_error *err)
{
    return of(device)->inner->ops->pace(of(device)->inner, err);
}

static bool finish(struct oro_device *device, struct oro_error *err)
{
    return of(device)->inner->ops->finish(of(device)->inner, err);
}

static bool timer_begin(struct oro_device *device)
{
    return of(device)->inner->ops->timer_begin(of(device)->inner);
}

static double timer_end(struct oro_device *device)
{
    return of(device)->inner->ops->timer_end(of(device)->inner);
}

static bool rebuild(struct oro_device *device, struct oro_error *err)
{
    return of(device)->inner->ops->rebuild(of(device)->inner, err);
}

struct oro_device *tiling_device_create(struct oro_device *inner, const struct tiling_options *options,
                                        struct oro_error *err)
{
    static const struct oro_device_ops ops = {.destroy = destroy,
                                              .buffer_create = buffer_create,
                                              .raster_create = raster_create,
                                              .buffer_destroy = buffer_destroy,
                                              .upload = upload,
                                              .download = download,
                                              .copy = copy,
                                              .kernel_digest = kernel_digest,
                                              .kernel = make_kernel,
                                              .dispatch = dispatch,
                                              .pace = pace,
                                              .finish = finish,
                                              .timer_begin = timer_begin,
                                              .timer_end = timer_end,
                                              .rebuild = rebuild};
    struct tiling *t = oro_alloc(1, sizeof *t);
    if (!t) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a device");
        return NULL;
    }
    *t = (struct tiling){.device = {.ops = &ops, .info = inner->info},
                         .inner = inner,
                         .options = *options,
                         .random = options->seed};
    t->device.info.spread = true;
    return &t->device;
}
