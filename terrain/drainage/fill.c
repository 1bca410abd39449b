/* Flood levels and filled ground: maxima up the ways of a tile, from what lies beyond its exits. */
#include <stdatomic.h>

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

/* ---- Levels ---- */

struct flooding {
    const struct oro_tiled_tile *tile;
    const float *z;
    float *level;
};

static inline void flood(const struct flooding *f, const struct oro_drainage_tree_part *part, bool filled)
{
    const float *z = f->z;
    float *level = f->level;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        float own = z[cell], height = oro_height(own), below = height;
        if (next != cell)
            below = filled ? oro_height(level[next]) : level[next];
        else if (oro_tiled_in_ring(f->tile, cell))
            continue;
        level[cell] = below > height ? below : filled ? own : height;
    }
}

static void find_levels(void *user, const struct oro_drainage_tree_part *part)
{
    flood(user, part, false);
}

/* Ground that is not below its level keeps its bits. */
static void fill(void *user, const struct oro_drainage_tree_part *part)
{
    flood(user, part, true);
}

static bool rise(const struct oro_tiled_course *course, const float *z, const struct oro_tiled_values *beyond,
                 bool filled, float *level, struct oro_error *err)
{
    struct flooding flooding = {course->tile, z, level};
    struct oro_drainage_tree_work work = {.part = filled ? fill : find_levels, .user = &flooding};
    for (uint32_t i = 0; beyond && i < course->exit_count; i++)
        level[oro_tiled_course_beyond(course, i)] = oro_level_height((uint32_t)beyond[i].of[0]);
    return oro_drainage_tree_up(&course->routing, NULL, &work, err);
}

bool oro_tiled_flood(const struct oro_tiled_course *course, const float *z,
                     const struct oro_tiled_values *beyond, float *level, struct oro_error *err)
{
    return rise(course, z, beyond, false, level, err);
}

/* ---- Slopes: one step higher with every cell ---- */

/* Stands for all that is higher. */
#define TOO_HIGH (1 - ORO_STEPS_LOWEST)

struct raising {
    const struct oro_tiled_tile *tile;
    const float *z;
    int32_t *highest;       /* K of drain.h */
    atomic_size_t too_high; /* the first cell of the tile that would be too high, plus 1 */
    float *out;
};

static void raise_ways(void *user, const struct oro_drainage_tree_part *part)
{
    const struct raising *r = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        int32_t own = oro_step_above(r->z[cell]);
        if (next == cell && oro_tiled_in_ring(r->tile, cell))
            continue;
        r->highest[cell] = next != cell && r->highest[next] >= own ? r->highest[next] + 1 : own;
    }
}

static void check_height(void *user, size_t first, size_t end)
{
    struct raising *r = user;
    int32_t most = 0;
    for (size_t i = first; i < end; i++)
        most = r->highest[i] > most ? r->highest[i] : most;
    if (most < TOO_HIGH)
        return;
    while (first < end && (r->highest[first] < TOO_HIGH || oro_tiled_in_ring(r->tile, first)))
        first++;
    size_t known = atomic_load(&r->too_high);
    while (first < end && (!known || known > first + 1) &&
           !atomic_compare_exchange_weak(&r->too_high, &known, first + 1))
        continue;
}

static void raise(void *user, size_t first, size_t end)
{
    const struct raising *r = user;
    for (size_t i = first; i < end; i++)
        r->out[i] = r->highest[i] > oro_step_above(r->z[i]) ? oro_step_height(r->highest[i]) : r->z[i];
}

static bool fail_too_high(const struct oro_tiled_tile *tile, size_t in_window, struct oro_error *err)
{
    struct oro_tiled_cell cell = oro_tiled_of_window(tile, in_window);
    return oro_fail(err, ORO_E_EVALUATE,
                    "the way out of cell %d, %d is too high to be filled: there are no higher numbers left "
                    "for slopes down to it",
                    cell.x, cell.y);
}

static bool fill_sloped(const struct oro_tiled_course *course, const float *z,
                        const struct oro_tiled_values *beyond, float *out, struct oro_error *err)
{
    struct raising r = {.tile = course->tile, .z = z, .out = out};
    struct oro_drainage_tree_work work = {.part = raise_ways, .user = &r};
    r.highest = oro_alloc(oro_tiled_window_cells(&course->tile->window), sizeof *r.highest);
    if (!r.highest)
        return oro_tiled_no_memory(&course->tile->block, err);
    for (uint32_t i = 0; i < course->exit_count; i++) {
        int64_t value = beyond[i].of[0];
        r.highest[oro_tiled_course_beyond(course, i)] = value < ORO_STEPS_LOWEST ? ORO_STEPS_LOWEST
                                                        : value > TOO_HIGH       ? TOO_HIGH
                                                                                 : (int32_t)value;
    }
    bool ok = oro_drainage_tree_up(&course->routing, course->asks, &work, err) &&
              oro_drainage_tree_cells(&course->routing, course->asks, check_height, &r, err);
    size_t too_high = atomic_load(&r.too_high);
    if (ok && too_high)
        ok = fail_too_high(course->tile, too_high - 1, err);
    ok = ok && oro_drainage_tree_cells(&course->routing, NULL, raise, &r, err);
    oro_free(r.highest);
    return ok;
}

/* ---- The whole ---- */

void oro_flood_levels(const struct oro_ground *ground, const struct oro_routing *routing, float *level)
{
    struct oro_tiled_whole whole;
    rise(oro_tiled_whole(routing, &whole), ground->z, NULL, false, level, NULL);
}

bool oro_fill(const struct oro_ground *ground, const struct oro_routing *routing, bool sloped, float *out,
              struct oro_error *err)
{
    struct oro_tiled_whole whole;
    struct oro_tiled_course *course = oro_tiled_whole(routing, &whole);
    course->asks = ground;
    if (sloped)
        return fill_sloped(course, ground->z, NULL, out, err);
    return !oro_ground_stops(ground, 0, err) && rise(course, ground->z, NULL, true, out, err);
}

/* ---- Tiles ---- */

static void trace_level(const void *z, size_t cell, size_t next, const struct oro_tiled_way *on,
                        struct oro_tiled_way *way)
{
    (void)next;
    way->values.of[0] = oro_level_of(((const float *)z)[cell]);
    if (on && on->values.of[0] > way->values.of[0])
        way->values.of[0] = on->values.of[0];
}

static void trace_raised(const void *z, size_t cell, size_t next, const struct oro_tiled_way *on,
                         struct oro_tiled_way *way)
{
    (void)next;
    way->values.of[0] = oro_step_above(((const float *)z)[cell]);
    if (on && on->values.of[0] >= way->values.of[0])
        way->values.of[0] = on->values.of[0] + 1;
}

static bool tell(struct oro_tiled_drainage *d, int which, void *user, struct oro_tiled_bytes *message,
                 struct oro_error *err)
{
    bool sloped = *(const bool *)user;
    struct oro_tiled_hold hold;
    struct oro_tiled_flows flows = {0};
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err);
    struct oro_tiled_tracing tracing = {sloped ? trace_raised : trace_level, hold.z};
    ok = ok &&
         oro_tiled_flows_begin(&hold.course, sloped ? ORO_TILED_RAISED : ORO_TILED_LEVEL, &flows, err) &&
         oro_tiled_tell(&hold.course, &tracing, &flows, message, err);
    oro_tiled_flows_free(&flows);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

struct oro_tiled_bytes *oro_tiled_levels_through(struct oro_tiled_drainage *d, struct oro_error *err)
{
    bool sloped = false;
    return oro_tiled_flow_through(d, ORO_TILED_LEVEL, tell, &sloped, err);
}

struct filling {
    bool sloped;
    const struct oro_tiled_sink *out;
    struct oro_tiled_bytes *answers;
};

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct filling *f = user;
    struct oro_tiled_hold hold;
    struct oro_tiled_values *beyond = NULL;
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err) &&
              (beyond = oro_tiled_take_answer(&hold, f->sloped ? ORO_TILED_RAISED : ORO_TILED_LEVEL,
                                              &f->answers[which], err)) != NULL &&
              oro_tiled_course_order(&hold.course, err);
    float *out = ok ? oro_alloc(oro_tiled_window_cells(&hold.tile.window), sizeof *out) : NULL;
    if (ok && !out)
        ok = oro_tiled_no_memory(&hold.tile.block, err);
    ok = ok && (f->sloped ? fill_sloped(&hold.course, hold.z, beyond, out, err)
                          : rise(&hold.course, hold.z, beyond, true, out, err));
    ok = ok && oro_tiled_store(f->out, &hold.tile, out, err);
    oro_free(beyond);
    oro_free(out);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

bool oro_tiled_fill(struct oro_tiled_drainage *d, bool sloped, const struct oro_tiled_sink *out,
                    struct oro_error *err)
{
    struct filling f = {.sloped = sloped, .out = out};
    f.answers = oro_tiled_flow_through(d, sloped ? ORO_TILED_RAISED : ORO_TILED_LEVEL, tell, &f.sloped, err);
    bool ok = f.answers && oro_tiled_for_tiles(d, finish, &f, err);
    oro_tiled_free_all(f.answers, d->tiles);
    return ok;
}
