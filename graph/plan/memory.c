/* How much memory a plan takes, what of it is cut into tiles, and whether that fits. */
#include <math.h>
#include <stdint.h>

#include "graph/plan/plan_private.h"
#include "graph/type/value.h"

/* For every step the last one that needs it: the step count for a target, SIZE_MAX where none does (a
 * composite may have parts that only outputs not asked for need). */
static void find_last_uses(const struct oro_plan *plan, size_t *last_use)
{
    for (size_t i = 0; i < plan->step_count; i++)
        last_use[i] = SIZE_MAX;
    for (size_t i = 0; i < plan->target_count; i++)
        last_use[plan->targets[i].step] = plan->step_count;
    for (size_t i = plan->step_count; i-- > 0;)
        for (size_t k = 0; last_use[i] != SIZE_MAX && plan->steps[i].type->inputs[k].name; k++) {
            int from = plan->steps[i].sources[k].step;
            if (from >= 0 && last_use[from] == SIZE_MAX)
                last_use[from] = i;
        }
}

/* ---- Tiles ---- */

static size_t raster_cells(const struct oro_plan *plan, struct oro_plan_source source)
{
    const struct oro_step *step = source.step < 0 ? NULL : &plan->steps[source.step];
    return step && oro_is_raster(step->type->outputs[source.output].type) ? oro_grid_cells(&step->grid) : 0;
}

/* Cells of the largest raster that a step takes or gives. */
static size_t largest_raster(const struct oro_plan *plan, const struct oro_step *step)
{
    size_t most = 0;
    for (size_t i = 0; step->type->inputs[i].name; i++) {
        size_t cells = raster_cells(plan, step->sources[i]);
        most = cells > most ? cells : most;
    }
    for (const struct oro_output *output = step->type->outputs; output && output->name; output++)
        if (oro_is_raster(output->type) && oro_grid_cells(&step->grid) > most)
            most = oro_grid_cells(&step->grid);
    return most;
}

/* How much of `size` cells along an axis a window has: there are halos where there are other tiles. */
static double window_share(const struct oro_plan_spread *spread, int size)
{
    int halos = size <= spread->tile ? 0 : size <= 2 * spread->tile ? 1 : 2;
    return fmin((double)(spread->tile + halos * (spread->depth + ORO_SPREAD_STEP)) / size, 1);
}

/* The bytes of the window of a raster over `from`, while a chain runs on a tile of `grid`. */
static double window_bytes(const struct oro_plan_spread *spread, const struct oro_grid *grid,
                           const struct oro_grid *from, int channels)
{
    double columns = window_share(spread, grid->width) * from->width;
    double rows = window_share(spread, grid->height) * from->height;
    return columns * rows * channels * (double)sizeof(float);
}

/* Finding drainage takes so many of a type's scratch fields on a device that has rasters whole. The others
 * are rasters like those of all types. */
enum { DRAINAGE_FIELDS = 8 };

static int scratch_fields(const struct oro_node_type *type)
{
    int fields = type->scratch_fields - (type->spread == ORO_SPREAD_DRAINAGE ? DRAINAGE_FIELDS : 0);
    return fields > 0 ? fields : 0;
}

/* The windows of a step on one tile: what it reads, what it gives, and the fields between. */
static double windows_of(const struct oro_plan *plan, const struct oro_plan_spread *spread,
                         const struct oro_step *step)
{
    const struct oro_grid *grid = &step->grid;
    double bytes = window_bytes(spread, grid, grid, 1) * scratch_fields(step->type);
    for (size_t i = 0; step->type->inputs[i].name; i++) {
        struct oro_plan_source source = step->sources[i];
        if (raster_cells(plan, source) > 0) {
            const struct oro_step *from = &plan->steps[source.step];
            bytes += window_bytes(spread, grid, &from->grid,
                                  oro_type_channels(from->type->outputs[source.output].type));
        }
    }
    for (const struct oro_output *output = step->type->outputs; output && output->name; output++)
        bytes += window_bytes(spread, grid, grid, oro_type_channels(output->type));
    return bytes;
}

/* Beyond that many cells, numbers of cells would leave 32 bits. Plans without a device are only looked at. */
static bool refuse_whole(const struct oro_planner *planner, const struct oro_step *step)
{
    oro_fail(
        planner->err, ORO_E_LIMIT,
        "a node of type '%s' would have a raster of %zu cells (%d x %d here) in one piece, and at most %d "
        "x %d are possible: use it before the resolution rises, or, if it works in tiles, on a device "
        "that runs kernels (--device)",
        step->type->id, largest_raster(planner->plan, step), step->grid.width, step->grid.height,
        ORO_WHOLE_MAX, ORO_WHOLE_MAX);
    oro_error_place(planner->err, step->document, step->line, step->id);
    return false;
}

static enum oro_spread spread_of(const struct oro_step *step)
{
    const struct oro_node_type *type = step->type;
    if (type->spread_by && step->params)
        return type->spread_by(step->params);
    return type->sink ? ORO_SPREAD_HOST : type->spread;
}

static bool refuse_spread(const struct oro_planner *planner, const struct oro_step *step)
{
    const struct oro_grid *grid = &step->grid;
    oro_fail(planner->err, ORO_E_LIMIT,
             "a node of type '%s' needs its rasters in one piece, and one of %zu cells (%d x %d here) is cut "
             "into tiles: use the node before the resolution rises, or let larger rasters be whole (--whole)",
             step->type->id, largest_raster(planner->plan, step), grid->width, grid->height);
    oro_error_place(planner->err, step->document, step->line, step->id);
    return false;
}

/* Says of each step that runs whether it works on tiles. */
static bool mark_spread(struct oro_planner *planner, const size_t *last_use)
{
    struct oro_plan *plan = planner->plan;
    size_t whole = planner->options->spread.whole, most = (size_t)ORO_WHOLE_MAX * ORO_WHOLE_MAX;
    for (size_t i = 0; i < plan->step_count; i++) {
        struct oro_step *step = &plan->steps[i];
        size_t largest = last_use[i] == SIZE_MAX ? 0 : largest_raster(plan, step);
        step->spread = whole && largest > whole;
        plan->spread |= step->spread;
        if (step->spread && spread_of(step) == ORO_SPREAD_WHOLE)
            return refuse_spread(planner, step);
        if (planner->device && largest > most &&
            (!step->spread || (spread_of(step) == ORO_SPREAD_HOST && !step->type->eval_tiles)))
            return refuse_whole(planner, step);
    }
    return true;
}

/* ---- Memory ---- */

/* What a step takes, with the results that are alive then. */
struct need {
    double device; /* whole rasters and windows, which have to be there */
    double tiles;  /* on the device as far as there is room, else in memory of the host and in files */
    double host;   /* what the host computes with */
};

/* The scratch of a step in tiles. Of two rasters that take turns, the tiles of one are kept, and those of the
 * other are made while the first are still read: a row of them, and two. */
static double tile_scratch(const struct oro_plan_spread *spread, const struct oro_step *step)
{
    const struct oro_grid *grid = &step->grid;
    double columns = ceil((double)grid->width / spread->tile),
           rows = ceil((double)grid->height / spread->tile);
    double doubled = fmin((columns + 2) / (columns * rows), 1);
    double spared =
        step->type->scratch_fields - scratch_fields(step->type) + (1 - doubled) * step->type->turns;
    return (double)step->scratch_bytes - spared * (double)(oro_grid_cells(grid) * sizeof(float));
}

/* What finding drainage takes where rasters are in tiles: kernels work on one tile at a time, with a number
 * for each cell of all of them besides; a driver on the processor leaves it to the host, which works on all
 * tiles at once. */
static void add_drainage(const struct oro_planner *planner, const struct oro_step *step, struct need *need)
{
    enum { TILE_BYTES = 40, CELL_BYTES = 4, HOST_BYTES = 24 };
    double cells = (double)oro_grid_cells(&step->grid), tile = planner->options->spread.tile;
    bool by_kernels = !planner->device || !planner->device->info.software;
    need->device += by_kernels ? fmin(tile * tile, cells) * TILE_BYTES : 0;
    need->tiles += by_kernels ? cells * CELL_BYTES : 0;
    need->host += by_kernels ? 0 : cells * HOST_BYTES;
}

static struct need need_of(const struct oro_planner *planner, const struct oro_step *step,
                           const double live[2])
{
    const struct oro_plan *plan = planner->plan;
    const struct oro_plan_spread *spread = &planner->options->spread;
    struct need need = {live[0], live[1], 0};
    if (!step->spread) {
        need.device += (double)step->scratch_bytes;
        return need;
    }
    enum oro_spread how = spread_of(step);
    if (how != ORO_SPREAD_HOST) {
        need.device += windows_of(plan, spread, step);
        need.tiles += tile_scratch(spread, step);
    } else if (!step->type->eval_tiles) {
        for (size_t i = 0; step->type->inputs[i].name; i++)
            need.host += (double)(raster_cells(plan, step->sources[i]) * sizeof(float));
    }
    if (how == ORO_SPREAD_DRAINAGE)
        add_drainage(planner, step, &need);
    return need;
}

/* The smallest number of ranks whose devices have room for all tiles, of which each has its share; 0: even a
 * share of one tile is too much. */
static int ranks_for(const struct oro_plan_spread *spread, const struct oro_step *step,
                     const struct need *need, double memory)
{
    if (need->tiles <= 0 || !step->spread)
        return 1;
    int columns = (step->grid.width - 1) / spread->tile + 1,
        rows = (step->grid.height - 1) / spread->tile + 1;
    double tiles = (double)columns * rows, most = floor((memory - need->device) / need->tiles * tiles);
    return most < 1 ? 0 : (int)ceil(tiles / most);
}

static size_t greater(size_t a, double b)
{
    return b > (double)a ? (size_t)fmin(b, 1e18) : a;
}

static void count_step(struct oro_planner *planner, const struct oro_step *step, const double live[2])
{
    struct oro_plan *plan = planner->plan;
    const struct oro_plan_options *options = planner->options;
    struct need need = need_of(planner, step, live);
    double budget = options->memory_bytes ? (double)options->memory_bytes : need.device + need.tiles;
    double all = need.device + need.tiles, there = fmax(fmin(all, budget), need.device);
    int ranks = ranks_for(&options->spread, step, &need, budget);
    plan->least_bytes = greater(plan->least_bytes, need.device);
    plan->peak_bytes = greater(plan->peak_bytes, there);
    plan->peak_tiles = greater(plan->peak_tiles, need.tiles);
    plan->peak_host = greater(plan->peak_host, all - there + need.host);
    plan->out_of_core |= all > there;
    plan->ranks = !ranks || !plan->ranks ? 0 : ranks > plan->ranks ? ranks : plan->ranks;
}

static bool is_in_tiles(const struct oro_step *step, size_t whole)
{
    return whole && oro_grid_cells(&step->grid) > whole;
}

/* Estimate of the memory in use while the steps run in order: a result lives until its last use. */
static void estimate_memory(struct oro_planner *planner, size_t *last_use)
{
    struct oro_plan *plan = planner->plan;
    size_t whole = planner->options->spread.whole;
    double live[2] = {0}; /* on the device; in tiles */
    plan->ranks = 1;
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct oro_step *step = &plan->steps[i];
        if (last_use[i] == SIZE_MAX)
            continue;
        live[is_in_tiles(step, whole)] += (double)step->output_bytes;
        count_step(planner, step, live);
        for (size_t k = 0; step->type->inputs[k].name; k++) {
            int from = step->sources[k].step;
            if (from >= 0 && last_use[from] == i) {
                live[is_in_tiles(&plan->steps[from], whole)] -= (double)plan->steps[from].output_bytes;
                last_use[from] = SIZE_MAX; /* counted */
            }
        }
    }
}

static bool fits(const struct oro_planner *planner)
{
    const struct oro_plan *plan = planner->plan;
    const struct oro_plan_spread *spread = &planner->options->spread;
    size_t budget = planner->options->memory_bytes, mib = 1024 * 1024;
    if (budget && plan->least_bytes > budget)
        return oro_fail(
            planner->err, ORO_E_LIMIT,
            "this needs about %zu MiB of device memory and the budget is %zu MiB; %s, or raise --memory",
            plan->least_bytes / mib + 1, budget / mib,
            plan->spread ? "make tiles smaller (--tile)"
                         : "lower the world's resolution, or the levels' (--max-resolution)");
    size_t limit = planner->device ? planner->device->info.buffer_limit : 0;
    size_t largest = plan->largest_buffer;
    if (spread->whole && largest > 4 * sizeof(float) * spread->whole)
        largest = 4 * sizeof(float) * spread->whole;
    return !limit || largest <= limit ||
           oro_fail(
               planner->err, ORO_E_LIMIT,
               "a raster of %zu MiB is needed and the device takes at most %zu MiB in one piece; lower the "
               "world's resolution, or the levels' (--max-resolution)",
               largest / mib + 1, limit / mib);
}

bool oro_plan_memory(struct oro_planner *planner)
{
    struct oro_plan *plan = planner->plan;
    size_t *last_use = oro_arena_alloc(plan->arena, plan->step_count + 1, sizeof *last_use);
    if (!last_use)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan %zu steps", plan->step_count);
    find_last_uses(plan, last_use);
    if (!mark_spread(planner, last_use))
        return false;
    estimate_memory(planner, last_use);
    return fits(planner);
}

/* Halos are half as deep as a chain on average, on both sides of a tile: a depth of a thirtieth of the tile
 * makes 7 % more work, one of a tenth a fifth. */
int oro_plan_spread_depth(int tile, bool out_of_core)
{
    int deep = tile / (out_of_core ? 10 : 32) / ORO_SPREAD_STEP * ORO_SPREAD_STEP;
    return deep > ORO_SPREAD_STEP ? deep : ORO_SPREAD_STEP;
}

struct oro_plan_spread oro_plan_spread_for(size_t memory_bytes)
{
    enum { FIELDS = 12, MOST_TILE = 8192 };
    double cells = (double)memory_bytes / sizeof(float) / FIELDS;
    struct oro_plan_spread spread = {.tile = ORO_PLAN_LEAST_TILE};
    while (spread.tile < MOST_TILE && 4.0 * spread.tile * spread.tile < cells / 2)
        spread.tile *= 2;
    spread.depth = oro_plan_spread_depth(spread.tile, false);
    spread.whole = (size_t)fmin(cells / 4, 8192.0 * 8192);
    return spread;
}
