/* Running a chain: every tile is loaded with its halo, goes through all steps, and is stored. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "devices/spread/internal.h"

/* Adds the time since `*start`, and starts anew. */
static void count_seconds(double *seconds, double *start)
{
    double now = oro_now();
    *seconds += now - *start;
    *start = now;
}

/* ---- Tiles that are replaced, or not needed any more ---- */

/* The cells of before are of no use behind the chain. */
static bool is_left(const struct use *use)
{
    return use->tiled->spread && (use->written || use->discarded || use->tiled->dead);
}

static bool is_counted(const struct use *use)
{
    return is_left(use) && use->need >= 0;
}

/* Adds to the readers of the tiles of this rank that are read for a tile; drops those that have none left. */
static void count_readers(struct spread *spread, const struct use *use, size_t tile, int change)
{
    struct tiled_buffer *tiled = use->tiled;
    const struct tiling *tiling = &tiled->tiling;
    struct oro_window load = oro_use_load(&spread->chain, use, tile);
    for (size_t i = oro_tiling_meet(tiling, &load); i < tiling->count;
         i = oro_tiling_next(tiling, &load, i)) {
        tiled->readers[i] += change;
        if (!tiled->readers[i])
            oro_tile_drop(spread, &tiled->tiles[i]);
    }
}

static bool begin_use(struct spread *spread, const struct use *use, struct oro_error *err)
{
    struct tiled_buffer *tiled = use->tiled;
    if (is_left(use) && !is_counted(use))
        for (size_t i = 0; i < tiled->tiling.count; i++)
            oro_tile_drop(spread, &tiled->tiles[i]);
    if (!is_counted(use))
        return true;
    tiled->readers = oro_alloc(tiled->tiling.count, sizeof *tiled->readers);
    tiled->fresh = use->stored ? oro_tiles_create(spread, tiled) : NULL;
    return (tiled->readers && (tiled->fresh || !use->stored)) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for the tiles of a raster");
}

static bool begin_stores(struct spread *spread, size_t first, size_t end, struct oro_error *err)
{
    struct chain *chain = &spread->chain;
    for (size_t i = 0; i < chain->use_count; i++)
        if (!begin_use(spread, &chain->uses[i], err))
            return false;
    for (size_t tile = first; tile < end; tile++) {
        oro_chain_windows(chain, tile);
        for (size_t i = 0; i < chain->use_count; i++)
            if (is_counted(&chain->uses[i]))
                count_readers(spread, &chain->uses[i], tile, 1);
    }
    return true;
}

static void end_stores(struct spread *spread, bool ok)
{
    for (size_t i = 0; i < spread->chain.use_count; i++) {
        struct tiled_buffer *tiled = spread->chain.uses[i].tiled;
        oro_free(tiled->readers);
        tiled->readers = NULL;
        if (!tiled->fresh)
            continue;
        oro_tiles_free(spread, tiled, ok ? tiled->tiles : tiled->fresh);
        tiled->tiles = ok ? tiled->fresh : tiled->tiles;
        tiled->fresh = NULL;
    }
}

/* ---- Windows ---- */

static bool has_window(const struct chain *chain, const struct use *use)
{
    return use->live && use->layer >= 0 && !chain->layers[use->layer].direct;
}

static bool make_windows(struct spread *spread, struct oro_error *err)
{
    struct chain *chain = &spread->chain;
    size_t staged = 0;
    for (size_t i = 0; i < chain->use_count; i++) {
        struct use *use = &chain->uses[i];
        struct tiled_buffer *tiled = use->tiled;
        size_t side = (size_t)tiled->tiling.side, bytes = side * side * (size_t)tiled->channels * WORD;
        staged = tiled->spread && bytes > staged ? bytes : staged;
        if (!has_window(chain, use)) {
            if (use->live && !oro_tiled_buffer_buffer(spread, tiled, err))
                return false;
            continue;
        }
        size_t cells = chain->layers[use->layer].cells;
        use->window = oro_spread_buffer(spread, cells * (size_t)tiled->channels * WORD, err);
        if (!use->window)
            return false;
    }
    return oro_spread_staged(spread, staged, err);
}

static void free_windows(struct spread *spread)
{
    struct oro_device *inner = spread->inner;
    for (size_t i = 0; i < spread->chain.use_count; i++) {
        struct use *use = &spread->chain.uses[i];
        if (use->window)
            inner->ops->buffer_destroy(inner, use->window);
        use->window = NULL;
    }
}

/* ---- Loading ---- */

static bool load_received(struct spread *spread, const struct mail *mail, const struct use *use, size_t tile,
                          struct oro_error *err)
{
    struct oro_window window = spread->chain.layers[use->layer].window;
    for (size_t i = 0; i < mail->received.count; i++) {
        const struct part *part = &mail->received.items[i];
        if (part->tiled != use->tiled || part->target != tile)
            continue;
        struct block there = oro_window_block(window, part->window, use->tiled->channels);
        struct block at = {part->offset / WORD, (size_t)there.columns, there.columns, there.rows};
        spread->counts.loaded_bytes += (size_t)there.columns * (size_t)there.rows * WORD;
        if (!oro_pinned_load(spread, mail->received.pinned[part->rank], at, use->window, there, err))
            return false;
    }
    return true;
}

static bool load_tiles(struct spread *spread, const struct use *use, struct oro_window load,
                       struct oro_error *err)
{
    struct tiled_buffer *tiled = use->tiled;
    const struct tiling *tiling = &tiled->tiling;
    struct oro_window window = spread->chain.layers[use->layer].window;
    for (size_t i = oro_tiling_meet(tiling, &load); i < tiling->count;
         i = oro_tiling_next(tiling, &load, i)) {
        struct oro_window cells = oro_tiling_window(tiling, i), part = oro_window_common(load, cells);
        if (oro_tiling_rank(tiling, i, spread->ranks->count) == spread->ranks->rank &&
            !oro_tile_load(spread, &tiled->tiles[i], oro_window_block(cells, part, tiled->channels),
                           use->window, oro_window_block(window, part, tiled->channels), err))
            return false;
    }
    return true;
}

static bool load_whole(struct spread *spread, const struct use *use, struct oro_window load,
                       struct oro_error *err)
{
    struct tiled_buffer *tiled = use->tiled;
    struct oro_window grid = {0, 0, tiled->width, tiled->height};
    struct oro_window window = spread->chain.layers[use->layer].window;
    struct oro_buffer *whole = oro_tiled_buffer_buffer(spread, tiled, err);
    return whole && oro_spread_copy(spread, COPY, whole, oro_window_block(grid, load, tiled->channels),
                                    use->window, oro_window_block(window, load, tiled->channels), err);
}

/* In tests, what is not valid in a window is NaN. */
static bool poison(struct spread *spread, const struct use *use, struct oro_window valid,
                   struct oro_error *err)
{
    struct oro_window window = spread->chain.layers[use->layer].window;
    int channels = use->tiled->channels;
    if (!valid.width)
        valid = (struct oro_window){window.x, window.y, 0, 0};
    return !spread->options.poison ||
           oro_spread_poison(spread, use->window,
                             (size_t)window.width * (size_t)window.height * (size_t)channels,
                             oro_window_block(window, valid, channels), err);
}

static bool load(struct spread *spread, const struct mail *mail, size_t tile, struct oro_error *err)
{
    const struct chain *chain = &spread->chain;
    for (size_t i = 0; i < chain->use_count; i++) {
        const struct use *use = &chain->uses[i];
        if (!has_window(chain, use))
            continue;
        struct oro_window cells = oro_use_load(chain, use, tile);
        if (!poison(spread, use, (struct oro_window){0}, err))
            return false;
        if (!cells.width)
            continue;
        if (!(use->tiled->spread
                  ? load_tiles(spread, use, cells, err) && load_received(spread, mail, use, tile, err)
                  : load_whole(spread, use, cells, err)))
            return false;
    }
    return true;
}

/* ---- Steps ---- */

static void put_window(unsigned char *grid, struct oro_window window)
{
    const int numbers[3] = {window.width, window.x, window.y};
    memcpy(grid + ORO_GRID_WINDOW, numbers, sizeof numbers);
}

static bool dispatch(struct spread *spread, const struct step *step, struct oro_window region,
                     struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    const struct chain *chain = &spread->chain;
    struct oro_buffer *buffers[ORO_BUFFERS_MAX];
    struct oro_device_dispatch run = step->dispatch;
    for (int i = 0; i < run.buffer_count; i++) {
        const struct use *use = &chain->uses[step->buffers[i]->use - 1];
        buffers[i] = use->window ? use->window : use->tiled->buffer;
    }
    int columns = run.extent.cell_columns, rows = run.extent.cell_rows;
    run.buffers = buffers;
    run.constants = step->constants;
    run.first_column_group = region.x / columns;
    run.first_row_group = region.y / rows;
    run.columns = ((region.x + region.width - 1) / columns + 1 - run.first_column_group) * run.group_columns;
    run.rows = ((region.y + region.height - 1) / rows + 1 - run.first_row_group) * run.group_rows;
    put_window(step->constants, chain->layers[0].window);
    if (step->layer || oro_grid_same_size(&run.extent.grid, &run.extent.source))
        put_window(step->constants + ORO_GRID_BYTES, chain->layers[step->layer].window);
    spread->counts.dispatches++;
    return inner->ops->dispatch(inner, &run, err) && inner->ops->pace(inner, err);
}

static bool copy(struct spread *spread, const struct step *step, struct oro_window region,
                 struct oro_error *err)
{
    const struct chain *chain = &spread->chain;
    struct block block = oro_window_block(chain->layers[0].window, region, step->buffers[0]->channels);
    return oro_spread_copy(spread, COPY, chain->uses[step->buffers[0]->use - 1].window, block,
                           chain->uses[step->buffers[1]->use - 1].window, block, err);
}

static bool run_step(struct spread *spread, const struct step *step, size_t tile, struct oro_error *err)
{
    const struct chain *chain = &spread->chain;
    if (step->halo < 0)
        return true;
    struct oro_window region = oro_step_region(chain, step, tile);
    if (!(step->dispatch.kernel ? dispatch(spread, step, region, err) : copy(spread, step, region, err)))
        return false;
    for (int i = 0; i < step->dispatch.buffer_count; i++)
        if ((step->dispatch.written >> i & 1) && step->buffers[i]->width > 0 &&
            !poison(spread, &chain->uses[step->buffers[i]->use - 1], region, err))
            return false;
    return true;
}

static bool store(struct spread *spread, size_t tile, struct oro_error *err)
{
    const struct chain *chain = &spread->chain;
    struct oro_window own = oro_tiling_window(&chain->tiling, tile);
    for (size_t i = 0; i < chain->use_count; i++) {
        const struct use *use = &chain->uses[i];
        struct tiled_buffer *tiled = use->tiled;
        struct tile *tiles = tiled->fresh ? tiled->fresh : tiled->tiles;
        if (use->stored &&
            !oro_tile_store(spread, &tiles[tile], use->window,
                            oro_window_block(chain->layers[0].window, own, tiled->channels), err))
            return false;
    }
    return true;
}

static bool run_tile(struct spread *spread, const struct mail *mail, size_t tile, struct oro_error *err)
{
    struct chain *chain = &spread->chain;
    struct oro_device *device = &spread->device;
    double start = oro_now();
    if (device->stop && device->stop(device->stop_user))
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    oro_chain_windows(chain, tile);
    bool ok = load(spread, mail, tile, err);
    count_seconds(&spread->counts.load_seconds, &start);
    for (size_t i = 0; ok && i < chain->step_count; i++)
        ok = run_step(spread, &chain->steps[i], tile, err);
    count_seconds(&spread->counts.step_seconds, &start);
    ok = ok && store(spread, tile, err);
    for (size_t i = 0; ok && i < chain->use_count; i++)
        if (is_counted(&chain->uses[i]))
            count_readers(spread, &chain->uses[i], tile, -1);
    count_seconds(&spread->counts.store_seconds, &start);
    return ok;
}

/* ---- The chain ---- */

static void wish_loads(void *user, int rank, struct wishes *wishes)
{
    struct spread *spread = user;
    struct chain *chain = &spread->chain;
    int ranks = spread->ranks->count;
    size_t end = oro_tiling_end(&chain->tiling, rank, ranks);
    for (size_t tile = oro_tiling_first(&chain->tiling, rank, ranks); tile < end; tile++) {
        oro_chain_windows(chain, tile);
        for (size_t i = 0; i < chain->use_count; i++) {
            const struct use *use = &chain->uses[i];
            if (has_window(chain, use) && use->tiled->spread)
                oro_wishes_add(wishes, (struct wish){use->tiled, oro_use_load(chain, use, tile), tile});
        }
    }
}

/* Turns around at every chain, so that it begins with the tiles that were used last and are still at hand. */
static bool run_tiles(struct spread *spread, const struct mail *mail, size_t first, size_t end,
                      struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < end - first; i++)
        ok = run_tile(spread, mail, spread->backward ? end - 1 - i : first + i, err);
    spread->backward = !spread->backward;
    spread->counts.chains++;
    return ok;
}

bool oro_chain_run(struct spread *spread, const struct oro_device_dispatch *next, struct oro_error *err)
{
    struct chain *chain = &spread->chain;
    struct mail mail = {0};
    double began = oro_now(), start = began;
    if (!chain->step_count)
        return true;
    oro_chain_plan(spread, next);
    size_t first = oro_tiling_first(&chain->tiling, spread->ranks->rank, spread->ranks->count);
    size_t end = oro_tiling_end(&chain->tiling, spread->ranks->rank, spread->ranks->count);
    bool ok = begin_stores(spread, first, end, err) && (first == end || make_windows(spread, err)) &&
              oro_mail_prepare(spread, &mail, wish_loads, spread, err);
    ok = oro_mail_exchange(spread, &mail, ok, err);
    count_seconds(&spread->counts.message_seconds, &start);
    if (ok)
        ok = oro_spread_agree(spread, run_tiles(spread, &mail, first, end, err), err);
    oro_mail_free(spread, &mail);
    free_windows(spread);
    end_stores(spread, ok);
    oro_chain_clear(spread);
    count_seconds(&spread->counts.seconds, &began);
    return ok;
}
