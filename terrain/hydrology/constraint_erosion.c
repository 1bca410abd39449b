#include "terrain/hydrology/constraint_erosion.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/hydrology/constraint_private.h"

#define LEAST_CELLS ((size_t)1 << 13) /* that are worth a thread */

struct all_strips {
    void (*work)(void *user, size_t strip);
    void *user;
};

static void work_on_strips(void *user, size_t first, size_t end)
{
    const struct all_strips *all = user;
    for (size_t strip = first; strip < end; strip++)
        all->work(all->user, strip);
}

void oro_constraint_strips(struct oro_strips strips, void (*work)(void *user, size_t strip), void *user)
{
    struct all_strips all = {work, user};
    oro_parallel(strips.count, 1 + LEAST_CELLS / (strips.rows * strips.width), work_on_strips, &all);
}

/* ---- Room ---- */

/* Some of it is rarely touched, and then takes no memory. */
static bool fill_scratch(struct oro_constraint_scratch *scratch, bool wide)
{
    struct oro_arena *arena = scratch->arena;
    size_t cells = scratch->strips.cells, margin = scratch->strips.width + 1, strips = scratch->strips.count;
    size_t tiles = (size_t)scratch->tile_columns * (size_t)scratch->tile_rows;
    bool ok = true;
    for (int k = 0; k < 4; k++)
        ok = ok && (scratch->distance[k] = oro_arena_alloc(arena, margin + cells, sizeof(float)));
    ok = ok &&
         (scratch->direction = oro_arena_alloc(arena, cells + 2 * margin, sizeof *scratch->direction)) &&
         (scratch->way = oro_arena_alloc(arena, cells, sizeof *scratch->way)) &&
         (scratch->upstream = oro_arena_alloc(arena, cells, sizeof *scratch->upstream)) &&
         (scratch->awaited = oro_arena_alloc(arena, cells, sizeof *scratch->awaited)) &&
         (scratch->order = oro_arena_alloc(arena, cells, sizeof *scratch->order)) &&
         (scratch->head = oro_arena_alloc(arena, cells, sizeof *scratch->head)) &&
         (scratch->placed = oro_arena_alloc(arena, strips, sizeof *scratch->placed)) &&
         (scratch->leaving = oro_arena_alloc(arena, strips, sizeof *scratch->leaving)) &&
         (scratch->minima = oro_arena_alloc(arena, cells, sizeof *scratch->minima)) &&
         (scratch->basin = oro_arena_alloc(arena, cells, sizeof *scratch->basin)) &&
         (scratch->tile = oro_arena_alloc(arena, tiles, sizeof *scratch->tile)) &&
         (scratch->tile_row = oro_arena_alloc(arena, tiles, sizeof *scratch->tile_row)) &&
         (scratch->carved = oro_arena_alloc(arena, cells, sizeof *scratch->carved)) &&
         (scratch->difference = oro_arena_alloc(arena, cells, sizeof *scratch->difference));
    return ok && (!wide || (scratch->row_mean = oro_arena_alloc(arena, cells, sizeof *scratch->row_mean)));
}

/* The run on the grid of gorges, whose heights and rain are taken anew in every iteration. */
static bool make_wide(const struct oro_constraint_erosion *run, struct oro_constraint_scratch *scratch)
{
    struct oro_constraint_erosion *wide = oro_arena_alloc(scratch->arena, 1, sizeof *wide);
    int factor = run->scale.factor;
    if (!wide)
        return false;
    *wide = (struct oro_constraint_erosion){.width = (run->width + factor - 1) / factor,
                                            .height = (run->height + factor - 1) / factor,
                                            .cell = run->cell * factor,
                                            .params = run->params,
                                            .stop = run->stop,
                                            .user = run->user};
    size_t cells = (size_t)wide->width * (size_t)wide->height;
    oro_constraint_scale(run->params, wide->cell, cells, true, &wide->scale);
    scratch->wide_rain = oro_arena_alloc(scratch->arena, cells, sizeof *scratch->wide_rain);
    wide->h = oro_arena_alloc(scratch->arena, cells, sizeof *wide->h);
    wide->drainage = oro_arena_alloc(scratch->arena, cells, sizeof *wide->drainage);
    wide->moisture = (struct oro_constraint_map){scratch->wide_rain, 0, run->moisture.most};
    scratch->wide = wide;
    return scratch->wide_rain && wide->h && wide->drainage;
}

static bool make_room(struct oro_constraint_erosion *run, struct oro_error *err)
{
    if (run->scratch)
        return true;
    struct oro_arena *arena = oro_arena_create();
    struct oro_constraint_scratch *scratch = arena ? oro_arena_alloc(arena, 1, sizeof *scratch) : NULL;
    int tile = run->scale.tile;
    if (scratch) {
        *scratch = (struct oro_constraint_scratch){.arena = arena,
                                                   .strips = oro_strips_of(run->width, run->height),
                                                   .offsets = oro_offsets_of(run->width),
                                                   .tile_columns = (run->width + tile - 1) / tile,
                                                   .tile_rows = (run->height + tile - 1) / tile};
    }
    if (!scratch || !fill_scratch(scratch, run->scale.reach > 0) ||
        (run->scale.factor > 1 && !make_wide(run, scratch))) {
        oro_arena_destroy(arena);
        return oro_fail(err, ORO_E_MEMORY, "no memory to erode %d x %d cells", run->width, run->height);
    }
    size_t margin = scratch->strips.width + 1;
    memset(scratch->direction, ORO_TO_OUTLET, scratch->strips.cells + 2 * margin);
    scratch->direction += margin;
    for (int k = 0; k < 4; k++)
        scratch->distance[k] += margin;
    run->scratch = scratch;
    oro_constraint_place_nodes(run);
    return true;
}

void oro_constraint_free(struct oro_constraint_erosion *run)
{
    if (run->scratch && run->scratch->wide)
        oro_constraint_free(run->scratch->wide);
    if (run->scratch)
        oro_arena_destroy(run->scratch->arena);
    run->scratch = NULL;
}

/* ---- An iteration ---- */

bool oro_constraint_goes_on(const struct oro_constraint_erosion *run, struct oro_error *err)
{
    return !run->stop || !run->stop(run->user) || oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

bool oro_constraint_drain(struct oro_constraint_erosion *run, struct oro_error *err)
{
    if (!oro_constraint_goes_on(run, err) || !make_room(run, err))
        return false;
    oro_constraint_receivers(run);
    if (!oro_constraint_goes_on(run, err))
        return false;
    oro_constraint_add_water(run);
    return oro_constraint_goes_on(run, err);
}

bool oro_constraint_iterate(struct oro_constraint_erosion *run, struct oro_error *err)
{
    if (!oro_constraint_drain(run, err))
        return false;
    float *ground = oro_constraint_gorges(run, err);
    if (!ground)
        return false;
    if (run->params->broad_strength > 0)
        oro_constraint_sum_tiles(run);
    if (!oro_constraint_erode(run, ground, err))
        return false;
    oro_constraint_gradient(run);
    return true;
}
