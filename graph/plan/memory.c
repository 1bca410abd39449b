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

/* The bytes of a raster's window while a chain runs on a tile. */
static double window_bytes(const struct oro_plan_spread *spread, const struct oro_grid *grid, int channels)
{
    double side = spread->tile + 2.0 * (spread->depth + 2 * ORO_SPREAD_STEP);
    double width = side < grid->width ? side : grid->width,
           height = side < grid->height ? side : grid->height;
    return width * height * channels * (double)sizeof(float);
}

/* The windows of a step on one tile: what it reads, what it gives, and the fields between. */
static double windows_of(const struct oro_plan *plan, const struct oro_plan_spread *spread,
                         const struct oro_step *step)
{
    double bytes = window_bytes(spread, &step->grid, 1) * step->type->scratch_fields;
    for (size_t i = 0; step->type->inputs[i].name; i++) {
        struct oro_plan_source source = step->sources[i];
        if (raster_cells(plan, source) > 0) {
            const struct oro_step *from = &plan->steps[source.step];
            bytes +=
                window_bytes(spread, &from->grid, oro_type_channels(from->type->outputs[source.output].type));
        }
    }
    for (const struct oro_output *output = step->type->outputs; output && output->name; output++)
        bytes += window_bytes(spread, &step->grid, oro_type_channels(output->type));
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

static enum oro_spread spread_of(const struct oro_node_type *type)
{
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
        if (step->spread && spread_of(step->type) == ORO_SPREAD_WHOLE)
            return refuse_spread(planner, step);
        if (planner->device && largest > most &&
            (!step->spread || (spread_of(step->type) == ORO_SPREAD_HOST && !step->type->eval_tiles)))
            return refuse_whole(planner, step);
    }
    return true;
}

/* ---- Memory ---- */

/* What a running step takes besides the results that are alive. Of rasters in tiles, the windows are on the
 * device; what the host computes is whole in its memory. */
static void count_step(struct oro_plan *plan, const struct oro_plan_spread *spread,
                       const struct oro_step *step, size_t live, size_t live_tiles)
{
    size_t device = live, host = live_tiles;
    if (!step->spread)
        device += step->scratch_bytes;
    else if (spread_of(step->type) == ORO_SPREAD_TILES)
        device += (size_t)windows_of(plan, spread, step);
    else
        for (size_t i = 0; step->type->inputs[i].name; i++)
            host += raster_cells(plan, step->sources[i]) * sizeof(float);
    if (step->spread)
        host += step->scratch_bytes;
    plan->peak_bytes = device > plan->peak_bytes ? device : plan->peak_bytes;
    plan->peak_tiles = host > plan->peak_tiles ? host : plan->peak_tiles;
}

static bool is_in_tiles(const struct oro_step *step, size_t whole)
{
    return whole && oro_grid_cells(&step->grid) > whole;
}

/* Estimate of the memory in use while the steps run in order: a result lives until its last use. */
static void estimate_memory(struct oro_planner *planner, size_t *last_use)
{
    struct oro_plan *plan = planner->plan;
    size_t live[2] = {0}, whole = planner->options->spread.whole; /* on the device; in tiles */
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct oro_step *step = &plan->steps[i];
        if (last_use[i] == SIZE_MAX)
            continue;
        live[is_in_tiles(step, whole)] += step->output_bytes;
        count_step(plan, &planner->options->spread, step, live[0], live[1]);
        for (size_t k = 0; step->type->inputs[k].name; k++) {
            int from = step->sources[k].step;
            if (from >= 0 && last_use[from] == i) {
                live[is_in_tiles(&plan->steps[from], whole)] -= plan->steps[from].output_bytes;
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
    if (budget && plan->peak_bytes > budget)
        return oro_fail(
            planner->err, ORO_E_LIMIT,
            "this needs about %zu MiB of device memory and the budget is %zu MiB; %s, or raise --memory",
            plan->peak_bytes / mib + 1, budget / mib,
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

int oro_plan_spread_depth(int tile)
{
    int deep = tile / 32 / ORO_SPREAD_STEP * ORO_SPREAD_STEP;
    return deep > ORO_SPREAD_STEP ? deep : ORO_SPREAD_STEP;
}

struct oro_plan_spread oro_plan_spread_for(size_t memory_bytes)
{
    enum { FIELDS = 12, LEAST_TILE = 256, MOST_TILE = 8192 };
    double cells = (double)memory_bytes / sizeof(float) / FIELDS;
    struct oro_plan_spread spread = {.tile = LEAST_TILE};
    while (spread.tile < MOST_TILE && 4.0 * spread.tile * spread.tile < cells / 4)
        spread.tile *= 2;
    spread.depth = oro_plan_spread_depth(spread.tile);
    spread.whole = (size_t)fmin(cells / 4, 8192.0 * 8192);
    return spread;
}
