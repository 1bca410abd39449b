#include "nodes/source/import_windows.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/ranks.h"

struct oro_reader *oro_import_open(const char *file, const struct oro_read_options *options,
                                   struct oro_error *why)
{
    struct oro_read_options plain = *options;
    plain.crs = NULL;
    plain.window = (struct oro_map_window){0};
    plain.max_side = 0;
    struct oro_reader *reader = oro_reader_open(file, &plain, ORO_WINDOWS_BLOCKS, why);
    if (!reader || oro_lies_as_asked(&oro_reader_about(reader)->field, options))
        return reader;
    oro_fail(why, ORO_E_FILE, "'%s' lies elsewhere than the world: gdalwarp brings it there", file);
    oro_reader_close(reader);
    return NULL;
}

/* ---- Reading ---- */

struct work {
    struct oro_eval *eval;
    const char *file;
    struct oro_reader *reader;
    struct oro_device *device;
    const struct oro_grid *grid;
    struct oro_buffer *terrain, *sea, *mask;
    float *cells;
    uint64_t after_hole; /* cells from the first one without a height to the last; 0: there is none */
};

static bool check_cells(struct work *w, const struct oro_window *window, struct oro_error *err)
{
    size_t width = (size_t)window->width, count = width * (size_t)window->height;
    for (size_t i = 0; i < count && !w->after_hole; i++) {
        size_t x = (size_t)window->x + i % width, y = (size_t)window->y + i / width;
        if (isnan(w->cells[i]))
            w->after_hole = oro_grid_cells(w->grid) - (y * (size_t)w->grid->width + x);
        else if (fabsf(w->cells[i]) > ORO_IMPORT_HIGHEST)
            return oro_fail(err, ORO_E_FILE, "'%s': cell %zu,%zu is %g m; elevations lie within %g m",
                            w->file, x, y, (double)w->cells[i], (double)ORO_IMPORT_HIGHEST);
    }
    return true;
}

static bool read_tile(struct work *w, const struct oro_window *window, struct oro_error *err)
{
    const struct oro_cell_window cells = {window->x, window->y, window->width, window->height};
    const struct oro_device_tiles *tiles = w->device->tiles;
    if (oro_eval_stopped(w->eval))
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    if (!oro_reader_window(w->reader, &cells, true, w->cells, err) || !check_cells(w, window, err))
        return false;
    if (w->after_hole)
        return true;
    size_t count = (size_t)window->width * (size_t)window->height;
    if (!tiles->write(w->device, w->terrain, window, w->cells, err))
        return false;
    memset(w->cells, 0, count * sizeof *w->cells);
    return tiles->write(w->device, w->sea, window, w->cells, err) &&
           tiles->write(w->device, w->mask, window, w->cells, err);
}

static bool read_own_tiles(struct work *w, int rank, struct oro_error *err)
{
    const struct oro_device_tiles *tiles = w->device->tiles;
    /* The first one: those at the east and the south may be smaller. */
    struct oro_window largest = tiles->window(w->device, w->grid, 0);
    w->cells = oro_alloc((size_t)largest.width * (size_t)largest.height, sizeof *w->cells);
    bool ok = (w->cells || oro_fail(err, ORO_E_MEMORY, "no memory for a tile of a raster")) &&
              w->device->ops->finish(w->device, err);
    for (size_t i = 0; ok && !w->after_hole && i < tiles->count(w->device, w->grid); i++) {
        struct oro_window window = tiles->window(w->device, w->grid, i);
        ok = tiles->rank(w->device, w->grid, i) != rank || read_tile(w, &window, err);
    }
    oro_free(w->cells);
    return ok;
}

/* Which cell is the first without a height, as all ranks know. */
static bool tell_hole(const struct work *w, struct oro_error *why)
{
    uint64_t cell = oro_grid_cells(w->grid) - w->after_hole, width = (uint64_t)w->grid->width;
    return oro_fail(why, ORO_E_FILE,
                    "'%s' has no height in cell %llu,%llu: to continue the ground around takes the whole; "
                    "gdal_fillnodata.py fills holes",
                    w->file, (unsigned long long)(cell % width), (unsigned long long)(cell / width));
}

bool oro_import_tiles(struct oro_eval *e, const char *file, struct oro_reader *reader, bool *done,
                      struct oro_error *why)
{
    struct oro_error err = {0};
    struct work w = {.eval = e,
                     .file = file,
                     .reader = reader,
                     .device = oro_eval_device(e),
                     .grid = oro_eval_grid(e),
                     .terrain = oro_eval_field(e),
                     .sea = oro_eval_field(e),
                     .mask = oro_eval_field(e)};
    struct oro_ranks *ranks = w.device->tiles->ranks(w.device);
    bool made = w.terrain && w.sea && w.mask;
    if (!oro_ranks_agree(ranks, made && read_own_tiles(&w, ranks->rank, &err), &err) ||
        (ranks->count > 1 && !ranks->ops->greatest(ranks, &w.after_hole, 1, &err)))
        return oro_eval_failed(e, &err);
    *done = !w.after_hole;
    if (w.after_hole)
        return tell_hole(&w, why) || true;
    return oro_eval_give(e, "terrain", w.terrain) && oro_eval_give(e, "sea", w.sea) &&
           oro_eval_give(e, "mask", w.mask);
}

static bool give_zeros(struct oro_eval *e, const char *output, size_t cells)
{
    float *zeros = oro_alloc(cells, sizeof *zeros);
    return zeros ? oro_eval_give_host(e, output, zeros)
                 : oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
}

bool oro_import_large(struct oro_eval *e, const char *file, struct oro_reader *reader)
{
    struct oro_error err = {0};
    struct work w = {.eval = e, .file = file, .grid = oro_eval_grid(e)};
    const struct oro_window window = {0, 0, w.grid->width, w.grid->height};
    const struct oro_cell_window all = {0, 0, w.grid->width, w.grid->height};
    size_t cells = oro_grid_cells(w.grid);
    w.cells = oro_alloc(cells, sizeof *w.cells);
    bool ok = (w.cells || oro_fail(&err, ORO_E_MEMORY, "no memory for %zu cells", cells)) &&
              oro_reader_window(reader, &all, true, w.cells, &err) && check_cells(&w, &window, &err) &&
              (!w.after_hole || tell_hole(&w, &err));
    if (!ok) {
        oro_free(w.cells);
        return oro_eval_failed(e, &err);
    }
    return oro_eval_give_host(e, "terrain", w.cells) && give_zeros(e, "sea", cells) &&
           give_zeros(e, "mask", cells);
}
