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
static bool fill_room(struct oro_constraint_room *room, bool wide)
{
    struct oro_arena *arena = room->arena;
    size_t cells = room->strips.cells, margin = room->strips.width + 1, strips = room->strips.count;
    size_t tiles = (size_t)room->tile_columns * (size_t)room->tile_rows;
    bool ok = true;
    for (int k = 0; k < 4; k++)
        ok = ok && (room->distance[k] = oro_arena_alloc(arena, margin + cells, sizeof(float)));
    ok = ok && (room->direction = oro_arena_alloc(arena, cells + 2 * margin, sizeof *room->direction)) &&
         (room->way = oro_arena_alloc(arena, cells, sizeof *room->way)) &&
         (room->upstream = oro_arena_alloc(arena, cells, sizeof *room->upstream)) &&
         (room->awaited = oro_arena_alloc(arena, cells, sizeof *room->awaited)) &&
         (room->order = oro_arena_alloc(arena, cells, sizeof *room->order)) &&
         (room->head = oro_arena_alloc(arena, cells, sizeof *room->head)) &&
         (room->placed = oro_arena_alloc(arena, strips, sizeof *room->placed)) &&
         (room->leaving = oro_arena_alloc(arena, strips, sizeof *room->leaving)) &&
         (room->minima = oro_arena_alloc(arena, cells, sizeof *room->minima)) &&
         (room->basin = oro_arena_alloc(arena, cells, sizeof *room->basin)) &&
         (room->tile = oro_arena_alloc(arena, tiles, sizeof *room->tile)) &&
         (room->tile_row = oro_arena_alloc(arena, tiles, sizeof *room->tile_row)) &&
         (room->carved = oro_arena_alloc(arena, cells, sizeof *room->carved)) &&
         (room->difference = oro_arena_alloc(arena, cells, sizeof *room->difference));
    return ok && (!wide || (room->row_mean = oro_arena_alloc(arena, cells, sizeof *room->row_mean)));
}

/* The run on the grid of gorges, whose heights and rain are taken anew in every iteration. */
static bool make_wide(const struct oro_constraint_erosion *run, struct oro_constraint_room *room)
{
    struct oro_constraint_erosion *wide = oro_arena_alloc(room->arena, 1, sizeof *wide);
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
    room->wide_rain = oro_arena_alloc(room->arena, cells, sizeof *room->wide_rain);
    wide->h = oro_arena_alloc(room->arena, cells, sizeof *wide->h);
    wide->drainage = oro_arena_alloc(room->arena, cells, sizeof *wide->drainage);
    wide->moisture = (struct oro_constraint_map){room->wide_rain, 0, run->moisture.most};
    room->wide = wide;
    return room->wide_rain && wide->h && wide->drainage;
}

static bool make_room(struct oro_constraint_erosion *run, struct oro_error *err)
{
    if (run->room)
        return true;
    struct oro_arena *arena = oro_arena_create();
    struct oro_constraint_room *room = arena ? oro_arena_alloc(arena, 1, sizeof *room) : NULL;
    int tile = run->scale.tile;
    if (room) {
        *room = (struct oro_constraint_room){.arena = arena,
                                             .strips = oro_strips_of(run->width, run->height),
                                             .offsets = oro_offsets_of(run->width),
                                             .tile_columns = (run->width + tile - 1) / tile,
                                             .tile_rows = (run->height + tile - 1) / tile};
    }
    if (!room || !fill_room(room, run->scale.reach > 0) || (run->scale.factor > 1 && !make_wide(run, room))) {
        oro_arena_destroy(arena);
        return oro_fail(err, ORO_E_MEMORY, "no memory to erode %d x %d cells", run->width, run->height);
    }
    size_t margin = room->strips.width + 1;
    memset(room->direction, ORO_TO_OUTLET, room->strips.cells + 2 * margin);
    room->direction += margin;
    for (int k = 0; k < 4; k++)
        room->distance[k] += margin;
    run->room = room;
    oro_constraint_place_nodes(run);
    return true;
}

void oro_constraint_free(struct oro_constraint_erosion *run)
{
    if (run->room && run->room->wide)
        oro_constraint_free(run->room->wide);
    if (run->room)
        oro_arena_destroy(run->room->arena);
    run->room = NULL;
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
