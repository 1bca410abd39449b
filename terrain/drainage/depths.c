#include "terrain/drainage/depths.h"

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/tile_private.h"

/* Longer ways are counted as this one, so that numbers fit; nothing is so deep that it mattered. */
#define FAR ((int32_t)1 << 29)

static void trace_distance(const void *user, size_t cell, size_t next, const struct oro_tiled_way *on,
                           struct oro_tiled_way *way)
{
    (void)user;
    way->values.of[0] = next == cell ? 0 : ORO_TILED_NO_RAISED;
    if (on && on->values.of[0] != ORO_TILED_NO_RAISED)
        way->values.of[0] = on->values.of[0] + 1;
}

bool oro_tiled_tell_distances(const struct oro_tiled_course *course, struct oro_tiled_bytes *message,
                              struct oro_error *err)
{
    struct oro_tiled_tracing tracing = {trace_distance, NULL};
    struct oro_tiled_flows flows;
    if (oro_tiled_flows_begin(course, ORO_TILED_RAISED, &flows, err))
        return oro_tiled_tell(course, &tracing, &flows, message, err);
    oro_tiled_flows_free(&flows);
    return false;
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

static struct depths find_deepest(const struct oro_tiled_tile *tile, const float *z, const int32_t *distance)
{
    const struct oro_tiled_block *block = &tile->block;
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

bool oro_tiled_tell_depths(const struct oro_tiled_course *course, const float *z,
                           struct oro_tiled_view answer, struct oro_tiled_bytes *message,
                           struct oro_error *err)
{
    const struct oro_tiled_tile *tile = course->tile;
    struct measuring m = {tile, oro_alloc(oro_tiled_window_cells(&tile->window), sizeof *m.distance)};
    struct oro_drainage_tree_work work = {.part = measure_ways, .user = &m};
    struct oro_tiled_values *beyond =
        oro_tiled_answer_read(course->exit_count, ORO_TILED_RAISED, &tile->block, answer, err);
    bool ok = beyond && m.distance;
    if (beyond && !m.distance)
        oro_tiled_no_memory(&tile->block, err);
    for (uint32_t i = 0; ok && i < course->exit_count; i++) {
        int64_t distance = beyond[i].of[0];
        m.distance[oro_tiled_course_beyond(course, i)] = distance < 0     ? 0
                                                         : distance > FAR ? FAR
                                                                          : (int32_t)distance;
    }
    if (ok) {
        oro_drainage_tree_up(&course->routing, NULL, &work, NULL);
        struct depths depths = find_deepest(tile, z, m.distance);
        write(&tile->block, &depths, message);
        ok = !message->failed || oro_tiled_no_memory(&tile->block, err);
    }
    oro_free(beyond);
    oro_free(m.distance);
    return ok;
}

bool oro_tiled_too_deep(const struct oro_tiled_grid *grid, const struct oro_tiled_view *messages,
                        struct oro_error *err)
{
    struct depths worst = {.missing = INT64_MIN};
    uint64_t count = 0;
    for (int i = 0; i < oro_tiled_tiles(grid); i++) {
        struct oro_tiled_block block = oro_tiled_tile(grid, i);
        struct depths depths;
        if (!read(&block, messages[i], &depths, err))
            return false;
        count += depths.count;
        bool before =
            depths.cell.y < worst.cell.y || (depths.cell.y == worst.cell.y && depths.cell.x < worst.cell.x);
        if (depths.missing > worst.missing || (depths.missing == worst.missing && before))
            worst = depths;
    }
    return oro_too_deep_at((size_t)worst.cell.x, (size_t)worst.cell.y, worst.z, worst.step,
                           count ? count - 1 : 0, err);
}
