#include "formats/spread/spread_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "formats/drain.h"
#include "formats/writer/writer.h"

enum { FOLDER_SIZE = 4096 };

struct writing {
    const char *path;
    const struct oro_spread_raster *raster;
    struct oro_heightfield about;
    const struct oro_write_options *options; /* that were asked for */
    struct oro_writer_options windowed;
    struct oro_height_range range;
    struct oro_ranks *ranks;
    struct oro_writer *writer;
    struct oro_writer_sum all;
    struct oro_certificate drainage;
};

/* As for the whole, but for what is looked at here. */
static void begin(struct writing *w)
{
    w->ranks = oro_spread_raster_ranks(w->raster);
    w->about.width = w->raster->grid.width;
    w->about.height = w->raster->grid.height;
    w->windowed.write = *w->options;
    w->windowed.write.require_drained = false;
    if (!w->options->has_range && oro_writer_needs_range(w->path, w->options)) {
        w->windowed.write.has_range = true;
        w->windowed.write.low = w->range.low;
        w->windowed.write.high = w->range.high;
    }
}

/* ---- Where ---- */

/* Tells all where rank 0 writes. The name is the full one: working folders may differ. */
static bool share_folder(const struct writing *w, char folder[FOLDER_SIZE], struct oro_error *err)
{
    bool ok = true;
    if (w->writer) {
        char *full = realpath(oro_writer_folder(w->writer), NULL);
        ok = full && snprintf(folder, FOLDER_SIZE, "%s", full) < FOLDER_SIZE;
        if (!ok)
            oro_fail(err, ORO_E_WRITE, "cannot write '%s': its folder has no name that can be passed on",
                     w->path);
        free(full); /* the C library's */
    }
    return oro_ranks_agree(w->ranks, ok, err) &&
           w->ranks->ops->broadcast(w->ranks, 0, folder, FOLDER_SIZE, err);
}

static bool join(struct writing *w, bool *seen, struct oro_error *err)
{
    char folder[FOLDER_SIZE] = "";
    bool first = oro_ranks_first(w->ranks);
    if (first)
        w->writer = oro_writer_begin(w->path, &w->about, &w->windowed, err);
    if (!oro_ranks_agree(w->ranks, !first || w->writer, err) || !share_folder(w, folder, err))
        return false;
    *seen = oro_ranks_all(w->ranks, access(folder, R_OK | W_OK | X_OK) == 0);
    if (!*seen)
        return true;
    if (!first)
        w->writer = oro_writer_join(w->path, &w->about, &w->windowed, folder, err);
    return oro_ranks_agree(w->ranks, w->writer, err);
}

/* ---- What ---- */

static bool put(void *user, const struct oro_window *window, const float *cells, struct oro_error *err)
{
    const struct writing *w = user;
    struct oro_cell_window cell_window = {window->x, window->y, window->width, window->height};
    return oro_writer_put(w->writer, &cell_window, cells, err);
}

static void add_sum(void *all, const void *part)
{
    oro_writer_add(all, part);
}

/* Measures what will be read back. */
static bool certify(struct writing *w, struct oro_error *err)
{
    const struct oro_drain_target target = {.path = w->path, .options = w->options};
    struct oro_height_range range = {w->windowed.write.low, w->windowed.write.high};
    if (w->options->not_terrain)
        return true;
    bool ok = oro_spread_raster_certify(w->raster, &range, oro_writer_largest(w->writer), &w->drainage, err);
    if (ok && oro_ranks_first(w->ranks))
        ok = oro_drain_check(&target, &w->drainage, err);
    return oro_ranks_agree(w->ranks, ok, err);
}

static bool fill(struct writing *w, struct oro_error *err)
{
    bool ok = oro_each_own_tile(w->raster, put, w, err);
    w->all = oro_writer_sum(w->writer);
    return ok && oro_spread_combine(w->ranks, &w->all, sizeof w->all, add_sum, err) && certify(w, err) &&
           oro_ranks_agree(w->ranks,
                           oro_writer_seal(w->writer, &w->all, w->ranks->rank, w->ranks->count, err), err);
}

/* By now everyone has stopped writing: they have agreed on how it went. */
static bool end(struct writing *w, bool ok, struct oro_error *err)
{
    if (!oro_ranks_first(w->ranks))
        oro_writer_leave(w->writer);
    else if (ok)
        ok = oro_writer_finish(w->writer, &w->all, w->options->not_terrain ? NULL : &w->drainage,
                               w->options->written, err);
    else
        oro_writer_abort(w->writer);
    return ok;
}

bool oro_spread_file_fits(const char *path, const struct oro_spread_raster *raster,
                          const struct oro_heightfield *about, const struct oro_height_range *range,
                          const struct oro_write_options *options)
{
    struct writing w = {.path = path, .raster = raster, .about = *about, .options = options, .range = *range};
    begin(&w);
    const struct oro_engine *engine = options->engine;
    bool resized = !options->tiling && (oro_engine_side(engine, w.about.width) != w.about.width ||
                                        oro_engine_side(engine, w.about.height) != w.about.height);
    bool sea = !options->not_terrain && (options->has_sea || options->sea_mask);
    return oro_ranks_decide(w.ranks, !resized && !sea && !options->other_count &&
                                         oro_writer_fits(path, &w.about, &w.windowed, NULL));
}

bool oro_spread_file_write(const char *path, const struct oro_spread_raster *raster,
                           const struct oro_heightfield *about, const struct oro_height_range *range,
                           const struct oro_write_options *options, bool *seen, struct oro_error *err)
{
    struct writing w = {.path = path, .raster = raster, .about = *about, .options = options, .range = *range};
    begin(&w);
    *seen = true;
    bool ok = join(&w, seen, err);
    if (ok && !*seen) {
        end(&w, false, NULL);
        return true;
    }
    ok = end(&w, ok && fill(&w, err), err);
    return oro_ranks_agree(w.ranks, ok, err);
}
