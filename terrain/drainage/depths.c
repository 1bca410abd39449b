/*
 * Which cells are too deep to be drained, where carving has found that some are: those for whose ways out
 * there are no lower numbers left. To know them takes how far each is from its outlet.
 */
#include <stdio.h>

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

/* Longer ways are counted as this one, so that numbers fit; nothing is so deep that it mattered. */
#define FAR ((int32_t)1 << 29)

bool oro_too_deep_at(size_t x, size_t y, float z, int64_t step, size_t others, struct oro_error *err)
{
    char more[64] = "";
    if (others)
        snprintf(more, sizeof more, "; %zu more %s too deep as well", others,
                 others == 1 ? "cell is" : "cells are");
    return oro_fail(err, ORO_E_EVALUATE,
                    "cell %zu, %zu is too deep to be drained: at %.9g m there are no lower numbers left for "
                    "its way out; it takes at least %.9g m%s",
                    x, y, (double)z, (double)oro_step_height((int32_t)step), more);
}

bool oro_too_deep(const struct oro_ground *ground, size_t cell, int64_t step, size_t others,
                  struct oro_error *err)
{
    size_t width = (size_t)ground->width;
    return oro_too_deep_at(cell % width, cell / width, ground->z[cell], step, others, err);
}

struct measuring {
    const struct oro_tiled_tile *tile;
    int32_t *distance;
};

static void measure_ways(void *user, const struct oro_drainage_tree_part *part)
{
    const struct measuring *m = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell)
            m->distance[cell] = m->distance[next] + 1;
        else if (!oro_tiled_in_ring(m->tile, cell))
            m->distance[cell] = 0;
    }
}

/* Of the cell that has to be raised most: the first such. */
struct depths {
    uint64_t count;  /* of cells that are too deep */
    int64_t missing; /* steps */
    struct oro_tiled_cell cell;
    float z;
    int64_t step; /* that it has to have */
};

/* `beyond`: distances from exits; `distance`: room for the window. */
static struct depths find_deepest(const struct oro_tiled_course *course, const float *z,
                                  const struct oro_tiled_values *beyond, int32_t *distance)
{
    const struct oro_tiled_tile *tile = course->tile;
    const struct oro_tiled_block *block = &tile->block;
    struct measuring m = {tile, distance};
    struct oro_drainage_tree_work work = {.part = measure_ways, .user = &m};
    for (uint32_t i = 0; beyond && i < course->exit_count; i++) {
        int64_t away = beyond[i].of[0];
        distance[oro_tiled_course_beyond(course, i)] = away < 0 ? 0 : away > FAR ? FAR : (int32_t)away;
    }
    oro_drainage_tree_up(&course->routing, NULL, &work, NULL);
    struct depths depths = {.missing = INT32_MIN};
    for (int y = block->y; y < block->y + block->height; y++)
        for (int x = block->x; x < block->x + block->width; x++) {
            struct oro_tiled_cell cell = {x, y};
            size_t i = oro_tiled_in_window(tile, cell);
            int64_t step = (int64_t)ORO_STEPS_LOWEST + distance[i], missing = step - oro_step_of(z[i]);
            depths.count += missing > 0;
            if (missing > depths.missing)
                depths = (struct depths){depths.count, missing, cell, z[i], step};
        }
    return depths;
}

static bool fail(const struct depths *depths, struct oro_error *err)
{
    return oro_too_deep_at((size_t)depths->cell.x, (size_t)depths->cell.y, depths->z, depths->step,
                           depths->count ? depths->count - 1 : 0, err);
}

bool oro_tiled_whole_too_deep(const struct oro_tiled_course *course, const float *z, int32_t *scratch,
                              struct oro_error *err)
{
    struct depths depths = find_deepest(course, z, NULL, scratch);
    return fail(&depths, err);
}

/* ---- Tiles ---- */

static void trace_distance(const void *user, size_t cell, size_t next, const struct oro_tiled_way *on,
                           struct oro_tiled_way *way)
{
    (void)user;
    way->values.of[0] = next == cell ? 0 : ORO_TILED_NO_RAISED;
    if (on && on->values.of[0] != ORO_TILED_NO_RAISED)
        way->values.of[0] = on->values.of[0] + 1;
}

static void write(const struct oro_tiled_block *block, const struct depths *depths,
                  struct oro_tiled_bytes *message)
{
    uint32_t bits;
    memcpy(&bits, &depths->z, sizeof bits);
    oro_tiled_put_head(message, ORO_TILED_DEPTHS, block);
    oro_tiled_put(message, depths->count);
    oro_tiled_put_signed(message, depths->missing);
    oro_tiled_put(message, (uint64_t)depths->cell.x);
    oro_tiled_put(message, (uint64_t)depths->cell.y);
    oro_tiled_put_four(message, bits);
    oro_tiled_put_signed(message, depths->step);
}

static bool read(const struct oro_tiled_block *block, struct oro_tiled_view message, struct depths *depths,
                 struct oro_error *err)
{
    struct oro_tiled_reader reader = oro_tiled_read(message);
    oro_tiled_take_head(&reader, ORO_TILED_DEPTHS, block);
    depths->count = oro_tiled_take(&reader, ORO_GROUND_CELLS_MAX);
    depths->missing = oro_tiled_take_signed(&reader, UINT32_MAX);
    depths->cell.x = (int)oro_tiled_take(&reader, ORO_TILED_SIDE_MAX);
    depths->cell.y = (int)oro_tiled_take(&reader, ORO_TILED_SIDE_MAX);
    uint32_t bits = oro_tiled_take_four(&reader);
    memcpy(&depths->z, &bits, sizeof bits);
    depths->step = oro_tiled_take_signed(&reader, -(int64_t)ORO_STEPS_LOWEST);
    return oro_tiled_read_all(&reader, "depths", block, err);
}

static bool tell_distances(struct oro_tiled_drainage *d, int which, void *user,
                           struct oro_tiled_bytes *message, struct oro_error *err)
{
    (void)user;
    struct oro_tiled_hold hold;
    struct oro_tiled_tracing tracing = {trace_distance, NULL};
    struct oro_tiled_flows flows = {0};
    bool ok = oro_tiled_take_tile(d, which, false, &hold, err) &&
              oro_tiled_flows_begin(&hold.course, ORO_TILED_RAISED, &flows, err) &&
              oro_tiled_tell(&hold.course, &tracing, &flows, message, err);
    oro_tiled_flows_free(&flows);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

struct sounding {
    struct oro_tiled_bytes *answers, *messages;
};

static bool tell_depths(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct sounding *s = user;
    struct oro_tiled_hold hold;
    struct oro_tiled_values *beyond = NULL;
    int32_t *distance = NULL;
    bool ok = oro_tiled_take_tile(d, which, true, &hold, err) && oro_tiled_course_order(&hold.course, err) &&
              (beyond = oro_tiled_take_answer(&hold, ORO_TILED_RAISED, &s->answers[which], err)) != NULL;
    if (ok && !(distance = oro_alloc(oro_tiled_window_cells(&hold.tile.window), sizeof *distance)))
        ok = oro_tiled_no_memory(&hold.tile.block, err);
    if (ok) {
        struct depths depths = find_deepest(&hold.course, hold.z, beyond, distance);
        write(&hold.tile.block, &depths, &s->messages[which]);
        ok = !s->messages[which].failed || oro_tiled_no_memory(&hold.tile.block, err);
    }
    oro_free(beyond);
    oro_free(distance);
    oro_tiled_give_back(d, which, &hold);
    return ok;
}

/* Always fails. */
static bool find_worst(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                       void *result, struct oro_error *err)
{
    (void)result;
    struct depths worst = {.missing = INT64_MIN};
    uint64_t count = 0;
    for (int i = 0; i < oro_tiled_tiles(grid); i++) {
        struct oro_tiled_block block = oro_tiled_tile(grid, i);
        struct depths depths;
        if (!read(&block, oro_tiled_view(&messages[i]), &depths, err))
            return false;
        count += depths.count;
        bool before =
            depths.cell.y < worst.cell.y || (depths.cell.y == worst.cell.y && depths.cell.x < worst.cell.x);
        if (depths.missing > worst.missing || (depths.missing == worst.missing && before))
            worst = depths;
    }
    worst.count = count;
    return fail(&worst, err);
}

bool oro_tiled_too_deep(struct oro_tiled_drainage *d, struct oro_error *err)
{
    struct sounding s = {oro_tiled_flow_through(d, ORO_TILED_RAISED, tell_distances, NULL, err), NULL};
    bool ok = s.answers && oro_tiled_report(d, tell_depths, &s, &s.messages, find_worst, NULL, err);
    oro_tiled_free_all(s.answers, d->tiles);
    return ok;
}
