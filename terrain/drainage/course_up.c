/* Levels along a tile's ways, from what lies beyond its exits. */
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/tile_private.h"

/* ---- Messages ---- */

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

static bool tell(const struct oro_tiled_course *course, enum oro_tiled_flow flow,
                 const struct oro_tiled_tracing *tracing, struct oro_tiled_bytes *message,
                 struct oro_error *err)
{
    struct oro_tiled_flows flows;
    if (oro_tiled_flows_begin(course, flow, &flows, err))
        return oro_tiled_tell(course, tracing, &flows, message, err);
    oro_tiled_flows_free(&flows);
    return false;
}

bool oro_tiled_tell_levels(const struct oro_tiled_course *course, const float *z,
                           struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_tracing tracing = {trace_level, z};
    return tell(course, ORO_TILED_LEVEL, &tracing, message, err);
}

bool oro_tiled_tell_raised(const struct oro_tiled_course *course, const float *z,
                           struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_tracing tracing = {trace_raised, z};
    return tell(course, ORO_TILED_RAISED, &tracing, message, err);
}

/* ---- Flood levels ---- */

struct flooding {
    const struct oro_tiled_tile *tile;
    const float *z;
    float *level;
};

static void flood(void *user, const struct oro_drainage_tree_part *part)
{
    const struct flooding *f = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        float own = oro_height(f->z[cell]);
        if (next == cell && oro_tiled_in_ring(f->tile, cell))
            continue;
        f->level[cell] = next != cell && f->level[next] > own ? f->level[next] : own;
    }
}

void oro_tiled_flood(const struct oro_tiled_course *course, const float *z,
                     const struct oro_tiled_values *beyond, float *level)
{
    struct flooding flooding = {course->tile, z, level};
    struct oro_drainage_tree_work work = {.part = flood, .user = &flooding};
    for (uint32_t i = 0; i < course->exit_count; i++)
        level[oro_tiled_course_beyond(course, i)] = oro_level_height((uint32_t)beyond[i].of[0]);
    oro_drainage_tree_up(&course->routing, NULL, &work, NULL);
}

/* ---- Raised ways ---- */

struct raising {
    const struct oro_tiled_tile *tile;
    const float *z;
    int32_t *highest;
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

void oro_tiled_raise(const struct oro_tiled_course *course, const float *z,
                     const struct oro_tiled_values *beyond, int32_t *highest)
{
    struct raising raising = {course->tile, z, highest};
    struct oro_drainage_tree_work work = {.part = raise_ways, .user = &raising};
    for (uint32_t i = 0; i < course->exit_count; i++) {
        int64_t value = beyond[i].of[0];
        highest[oro_tiled_course_beyond(course, i)] = value < ORO_STEPS_LOWEST     ? ORO_STEPS_LOWEST
                                                      : value > ORO_TILED_TOO_HIGH ? ORO_TILED_TOO_HIGH
                                                                                   : (int32_t)value;
    }
    oro_drainage_tree_up(&course->routing, NULL, &work, NULL);
}
