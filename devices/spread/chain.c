/* Dispatches that wait: what can be spread, and where a chain of them has to end. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "devices/spread/internal.h"

static bool is_raster(const struct tiled_buffer *tiled)
{
    return tiled->width > 0;
}

static bool has_size(const struct tiled_buffer *tiled, const struct oro_grid *grid)
{
    return tiled->width == grid->width && tiled->height == grid->height;
}

/* ---- What can be spread ---- */

static const char *problem_of_buffer(const struct tiled_buffer *tiled, const struct oro_device_extent *extent,
                                     bool written)
{
    if (!is_raster(tiled))
        return written && !extent->sums ? "it writes an array, of which every tile would have to know all"
                                        : NULL;
    if (has_size(tiled, &extent->grid))
        return extent->reach == ORO_REACH_WHOLE ? "nothing says how far around a cell it reads" : NULL;
    if (!has_size(tiled, &extent->source))
        return "it uses a raster that has the size neither of its grid nor of its source";
    if (written)
        return "it writes a raster of another size than its grid";
    bool known = extent->source_reach != ORO_REACH_WHOLE || !tiled->spread;
    return known ? NULL : "nothing says how far around a cell's place it reads its source";
}

/* Whether groups of `group` invocations each go through all of `size` cells, `cells` at a time. */
static bool covers(int size, int cells, int invocations, int group)
{
    return cells > 0 && group > 0 && ORO_SPREAD_STEP % cells == 0 &&
           (invocations - 1) / group == (size - 1) / cells;
}

static const char *problem_of(const struct oro_device_dispatch *dispatch)
{
    const struct oro_device_extent *extent = &dispatch->extent;
    for (int i = 0; i < dispatch->buffer_count; i++) {
        const char *problem =
            problem_of_buffer(tiled_of(dispatch->buffers[i]), extent, dispatch->written >> i & 1);
        if (problem)
            return problem;
    }
    if (!dispatch->kernel)
        return NULL;
    double ratio = extent->grid.cell / extent->source.cell;
    if (!oro_grid_same_size(&extent->grid, &extent->source) && !(ratio > 0 && ratio < 1e9))
        return "its source has no size of cells";
    if (!dispatch->constants || dispatch->constants_size < (size_t)2 * ORO_GRID_BYTES)
        return "its kernel is not told where its window lies";
    bool is_covered =
        covers(extent->grid.width, extent->cell_columns, dispatch->columns, dispatch->group_columns) &&
        covers(extent->grid.height, extent->cell_rows, dispatch->rows, dispatch->group_rows);
    if (!is_covered || dispatch->first_column_group || dispatch->first_row_group)
        return "its work groups do not go through the grid once, in blocks of which 32 x 32 cells are made";
    return NULL;
}

/* ---- Recording ---- */

static int reach_of(int declared)
{
    return declared > 0 ? declared : 0;
}

/* The reach of all that leads to what the dispatch writes. */
static int age_of(const struct chain *chain, const struct oro_device_dispatch *dispatch)
{
    int age = 0;
    for (int i = 0; i < dispatch->buffer_count; i++) {
        size_t use = tiled_of(dispatch->buffers[i])->use;
        if (use && (dispatch->read >> i & 1) && chain->uses[use - 1].age > age)
            age = chain->uses[use - 1].age;
    }
    return age + reach_of(dispatch->extent.reach);
}

static int find_layer(const struct chain *chain, const struct oro_grid *grid)
{
    for (int i = 0; i < chain->layer_count; i++)
        if (chain->layers[i].width == grid->width && chain->layers[i].height == grid->height)
            return i;
    return -1;
}

/* Bytes of the window of a raster that has the size of the grid of a dispatch, or of its source. */
static double window_bytes(const struct spread *spread, const struct tiled_buffer *tiled)
{
    double side = spread->options.tile + 2.0 * (spread->options.depth + ORO_SPREAD_STEP);
    return fmin(side, tiled->width) * fmin(side, tiled->height) * tiled->channels * WORD;
}

/* Whether the windows fit that the chain then has: three quarters of what can be had, so that
 * some tiles stay on the device. Buffers that have windows already take no more. */
static bool windows_fit(const struct spread *spread, const struct oro_device_dispatch *dispatch)
{
    const struct chain *chain = &spread->chain;
    size_t used = spread->inner->used_bytes - spread->on_device.bytes;
    double bytes = 0, more = 0;
    for (size_t i = 0; i < chain->use_count; i++)
        bytes += window_bytes(spread, chain->uses[i].tiled);
    for (int i = 0; i < dispatch->buffer_count; i++)
        if (!tiled_of(dispatch->buffers[i])->use)
            more += window_bytes(spread, tiled_of(dispatch->buffers[i]));
    return more <= 0 || bytes + more <= 0.75 * ((double)spread->options.device_bytes - (double)used);
}

static bool fits(const struct spread *spread, const struct oro_device_dispatch *dispatch)
{
    const struct chain *chain = &spread->chain;
    if (!chain->step_count)
        return true;
    return windows_fit(spread, dispatch) && find_layer(chain, &dispatch->extent.grid) == 0 &&
           chain->step_count < STEPS_MAX && age_of(chain, dispatch) <= spread->options.depth &&
           (chain->layer_count < LAYERS_MAX || find_layer(chain, &dispatch->extent.source) >= 0);
}

static int add_layer(struct chain *chain, const struct oro_grid *grid)
{
    int layer = find_layer(chain, grid);
    if (layer >= 0)
        return layer;
    chain->layers[chain->layer_count] = (struct layer){.width = grid->width, .height = grid->height};
    return chain->layer_count++;
}

static bool add_use(struct chain *chain, struct tiled_buffer *tiled)
{
    void *uses = chain->uses;
    if (tiled->use)
        return true;
    if (!oro_reserve(&uses, &chain->use_capacity, chain->use_count + 1, sizeof *chain->uses))
        return false;
    chain->uses = uses;
    chain->uses[chain->use_count++] = (struct use){.tiled = tiled, .layer = -1};
    tiled->use = chain->use_count;
    return true;
}

/* Small rasters that the dispatch writes are in tiles from now on. */
static bool cut_written(struct spread *spread, const struct oro_device_dispatch *dispatch,
                        struct oro_error *err)
{
    for (int i = 0; i < dispatch->buffer_count; i++) {
        struct tiled_buffer *tiled = tiled_of(dispatch->buffers[i]);
        if (!(dispatch->written >> i & 1) || tiled->spread || !is_raster(tiled))
            continue;
        if (tiled->use && !oro_chain_run(spread, NULL, err))
            return false;
        if (!(dispatch->read >> i & 1))
            oro_tiled_buffer_forget(spread, tiled);
        if (!oro_tiled_buffer_cut(spread, tiled, err))
            return false;
    }
    return true;
}

static struct step *add_step(struct chain *chain, const struct oro_device_dispatch *dispatch)
{
    void *steps = chain->steps;
    size_t bytes = dispatch->constants ? dispatch->constants_size : 0;
    unsigned char *constants = bytes ? oro_alloc(bytes, 1) : NULL;
    if ((bytes && !constants) ||
        !oro_reserve(&steps, &chain->step_capacity, chain->step_count + 1, sizeof *chain->steps)) {
        oro_free(constants);
        return NULL;
    }
    chain->steps = steps;
    struct step *step = &chain->steps[chain->step_count++];
    *step = (struct step){
        .dispatch = *dispatch, .constants = constants, .reach = reach_of(dispatch->extent.reach)};
    if (bytes)
        memcpy(constants, dispatch->constants, bytes);
    return step;
}

static bool record(struct chain *chain, const struct oro_device_dispatch *dispatch)
{
    int age = age_of(chain, dispatch);
    struct step *step = add_step(chain, dispatch);
    if (!step)
        return false;
    for (int i = 0; i < dispatch->buffer_count; i++) {
        struct tiled_buffer *tiled = step->buffers[i] = tiled_of(dispatch->buffers[i]);
        if (!add_use(chain, tiled))
            return false;
        struct use *use = &chain->uses[tiled->use - 1];
        use->discarded = false;
        if (is_raster(tiled))
            use->layer = has_size(tiled, &dispatch->extent.grid)
                             ? 0
                             : (step->layer = add_layer(chain, &dispatch->extent.source));
        if (dispatch->written >> i & 1) {
            use->written = true;
            use->age = age;
        }
    }
    return true;
}

/* ---- Arrays that are sums over cells ---- */

static bool is_sum(const struct oro_device_dispatch *dispatch, int i)
{
    return dispatch->extent.sums && (dispatch->written >> i & 1) &&
           !is_raster(tiled_of(dispatch->buffers[i]));
}

/* Ends a chain that has a use for one of the arrays. */
static bool settle_sums(struct spread *spread, const struct oro_device_dispatch *dispatch,
                        struct oro_error *err)
{
    for (int i = 0; i < dispatch->buffer_count; i++)
        if (is_sum(dispatch, i) && tiled_of(dispatch->buffers[i])->use)
            return oro_chain_run(spread, dispatch, err);
    return true;
}

/* What was there before, and what the first work group writes, counts on the rank that has the first tile. */
static bool begin_sum(struct spread *spread, const struct tiled_buffer *tiled, struct oro_error *err)
{
    if (oro_tiling_rank(&spread->chain.tiling, 0, spread->ranks->count) == spread->ranks->rank)
        return true;
    void *zeros = oro_alloc(tiled->bytes, 1);
    bool ok = zeros || oro_fail(err, ORO_E_MEMORY, "no memory for sums");
    ok = ok && spread->inner->ops->upload(spread->inner, tiled->buffer, zeros, tiled->bytes, err);
    oro_free(zeros);
    return ok;
}

/* What each rank has summed up over its tiles becomes the sum over all. */
static bool end_sum(struct spread *spread, const struct tiled_buffer *tiled, struct oro_error *err)
{
    const struct oro_device_ops *ops = spread->inner->ops;
    size_t words = tiled->bytes / sizeof(uint32_t);
    uint32_t *own = oro_alloc(words, sizeof *own);
    uint64_t *sums = oro_alloc(words, sizeof *sums);
    bool ok = (own && sums) || oro_fail(err, ORO_E_MEMORY, "no memory for sums");
    ok = ok && ops->download(spread->inner, tiled->buffer, own, tiled->bytes, err);
    for (size_t i = 0; ok && i < words; i++)
        sums[i] = own[i];
    ok = oro_spread_agree(spread, ok, err) && spread->ranks->ops->sum(spread->ranks, sums, words, err);
    for (size_t i = 0; ok && i < words; i++)
        own[i] = (uint32_t)sums[i];
    ok = ok && ops->upload(spread->inner, tiled->buffer, own, tiled->bytes, err);
    oro_free(own);
    oro_free(sums);
    return ok;
}

/* A chain that ends with sums counts every cell once: its last step has no halo. */
static bool run_sums(struct spread *spread, const struct oro_device_dispatch *dispatch, struct oro_error *err)
{
    bool several = spread->ranks->count > 1, ok = true;
    for (int i = 0; ok && i < dispatch->buffer_count; i++)
        ok = !several || !is_sum(dispatch, i) || begin_sum(spread, tiled_of(dispatch->buffers[i]), err);
    if (!oro_spread_agree(spread, ok, err) || !oro_chain_run(spread, NULL, err))
        return false;
    for (int i = 0; ok && i < dispatch->buffer_count; i++)
        ok = !several || !is_sum(dispatch, i) || end_sum(spread, tiled_of(dispatch->buffers[i]), err);
    return ok;
}

bool oro_chain_add(struct spread *spread, const struct oro_device_dispatch *dispatch, const char **why,
                   struct oro_error *err)
{
    struct chain *chain = &spread->chain;
    *why = problem_of(dispatch);
    if (*why || !settle_sums(spread, dispatch, err) || !cut_written(spread, dispatch, err))
        return false;
    if (!fits(spread, dispatch) && !oro_chain_run(spread, dispatch, err))
        return false;
    if (!chain->step_count) {
        chain->layer_count = 0;
        add_layer(chain, &dispatch->extent.grid);
        chain->tiling = oro_spread_tiling(spread, dispatch->extent.grid.width, dispatch->extent.grid.height);
    }
    if (record(chain, dispatch))
        return !dispatch->extent.sums || run_sums(spread, dispatch, err);
    oro_chain_clear(spread);
    return oro_fail(err, ORO_E_MEMORY, "no memory for a dispatch");
}

void oro_chain_clear(struct spread *spread)
{
    struct chain *chain = &spread->chain;
    for (size_t i = 0; i < chain->step_count; i++)
        oro_free(chain->steps[i].constants);
    for (size_t i = 0; i < chain->use_count; i++) {
        struct tiled_buffer *tiled = chain->uses[i].tiled;
        tiled->use = 0;
        if (tiled->dead)
            oro_tiled_buffer_free(spread, tiled);
    }
    chain->step_count = chain->use_count = 0;
    chain->layer_count = 0;
}
