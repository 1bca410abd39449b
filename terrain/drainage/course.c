#include "terrain/drainage/course.h"

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/tile_private.h"

size_t oro_tiled_course_cell(const struct oro_tiled_course *course, uint32_t rim)
{
    return oro_tiled_in_window(course->tile, oro_tiled_rim_cell(&course->tile->block, rim));
}

static size_t receiver_of(const struct oro_tiled_tile *tile, size_t cell)
{
    return cell + (size_t)oro_offsets_of(tile->window.width).to[tile->direction[cell]];
}

size_t oro_tiled_course_beyond(const struct oro_tiled_course *course, uint32_t exit)
{
    return receiver_of(course->tile, oro_tiled_course_cell(course, course->exits[exit]));
}

bool oro_tiled_course_begin(struct oro_tiled_course *course, const struct oro_tiled_tile *tile,
                            struct oro_error *err)
{
    uint32_t rim = oro_tiled_rim_count(&tile->block);
    *course = (struct oro_tiled_course){.tile = tile};
    course->exits = oro_alloc(rim, sizeof *course->exits);
    course->entries = oro_alloc(rim, sizeof *course->entries);
    if (!course->exits || !course->entries)
        return oro_tiled_no_memory(&tile->block, err);
    for (uint32_t i = 0; i < rim; i++) {
        if (!oro_tiled_is_shared(&tile->grid, &tile->block, oro_tiled_rim_cell(&tile->block, i)))
            continue;
        if (tile->entry[i])
            course->entries[course->entry_count++] = i;
        if (oro_tiled_in_ring(tile, receiver_of(tile, oro_tiled_course_cell(course, i))))
            course->exits[course->exit_count++] = i;
    }
    return true;
}

bool oro_tiled_course_order(struct oro_tiled_course *course, struct oro_error *err)
{
    return course->routing.order || oro_tiled_tile_order(course->tile, &course->routing, err);
}

void oro_tiled_course_free(struct oro_tiled_course *course)
{
    oro_free(course->exits);
    oro_free(course->entries);
    oro_routing_free(&course->routing);
    *course = (struct oro_tiled_course){0};
}

struct oro_tiled_course *oro_tiled_whole(const struct oro_routing *routing, struct oro_tiled_whole *whole)
{
    struct oro_tiled_block all = {0, 0, routing->width, routing->height};
    *whole = (struct oro_tiled_whole){
        .tile = {.grid = {all.width, all.height, all.width, all.height, false}, .block = all, .window = all},
        .course = {.tile = &whole->tile, .routing = *routing}};
    return &whole->course;
}

/* ---- Ways from the entries. Where two join, the rest is known. ---- */

struct trace {
    const struct oro_tiled_course *course;
    const struct oro_tiled_tracing *tracing;
    uint32_t *exit_at; /* of every rim cell: number of its exit, or ORO_TILED_NONE */
    uint32_t *place;   /* of every cell of the window: place of its way in the list, and 1 */
    struct oro_tiled_way *ways;
    uint32_t *path; /* cells of the way at hand */
    size_t way_count, way_capacity, path_count, path_capacity;
};

static bool push(struct trace *t, size_t cell)
{
    void *path = t->path;
    if (!oro_reserve(&path, &t->path_capacity, t->path_count + 1, sizeof *t->path))
        return false;
    t->path = path;
    t->path[t->path_count++] = (uint32_t)cell;
    return true;
}

/* Adds the way from a cell, whose next one has a way already, if it is a cell of the tile. */
static bool add_way(struct trace *t, size_t cell)
{
    const struct oro_tiled_tile *tile = t->course->tile;
    size_t next = receiver_of(tile, cell);
    struct oro_tiled_way way = {.exit = ORO_TILED_NONE}, on;
    bool goes_on = next != cell && t->place[next];
    if (goes_on) {
        on = t->ways[t->place[next] - 1];
        way.exit = on.exit;
        way.distance = on.distance + 1;
    } else if (next != cell)
        way.exit = t->exit_at[oro_tiled_rim_index(&tile->block, oro_tiled_of_window(tile, cell))];
    t->tracing->step(t->tracing->user, cell, next, goes_on ? &on : NULL, &way);
    void *ways = t->ways;
    if (!oro_reserve(&ways, &t->way_capacity, t->way_count + 1, sizeof *t->ways))
        return false;
    t->ways = ways;
    t->ways[t->way_count++] = way;
    t->place[cell] = (uint32_t)t->way_count;
    return true;
}

/* In a circle, the path does not end before it has all cells. */
static bool follow(struct trace *t, size_t cell, struct oro_error *err)
{
    const struct oro_tiled_tile *tile = t->course->tile;
    size_t cells = oro_tiled_window_cells(&tile->window);
    t->path_count = 0;
    while (!t->place[cell]) {
        if (t->path_count == cells)
            return oro_fail(err, ORO_E_EVALUATE, "ways of the tile at %d, %d lead in a circle", tile->block.x,
                            tile->block.y);
        if (!push(t, cell))
            return oro_tiled_no_memory(&tile->block, err);
        size_t next = receiver_of(tile, cell);
        if (next == cell || oro_tiled_in_ring(tile, next))
            break;
        cell = next;
    }
    while (t->path_count > 0)
        if (!add_way(t, t->path[--t->path_count]))
            return oro_tiled_no_memory(&tile->block, err);
    return true;
}

bool oro_tiled_trace(const struct oro_tiled_course *course, const struct oro_tiled_tracing *tracing,
                     struct oro_tiled_flows *flows, struct oro_error *err)
{
    const struct oro_tiled_tile *tile = course->tile;
    uint32_t rim = oro_tiled_rim_count(&tile->block);
    struct trace t = {.course = course, .tracing = tracing};
    t.exit_at = oro_alloc(rim, sizeof *t.exit_at);
    t.place = oro_alloc(oro_tiled_window_cells(&tile->window), sizeof *t.place);
    bool ok = t.exit_at && t.place;
    if (!ok)
        oro_tiled_no_memory(&tile->block, err);
    for (uint32_t i = 0; ok && i < course->exit_count; i++)
        t.exit_at[course->exits[i]] = i;
    for (uint32_t i = 0; ok && i < course->entry_count; i++) {
        size_t cell = oro_tiled_course_cell(course, course->entries[i]);
        ok = follow(&t, cell, err);
        if (ok)
            flows->entries[i].way = t.ways[t.place[cell] - 1];
    }
    oro_free(t.exit_at);
    oro_free(t.place);
    oro_free(t.ways);
    oro_free(t.path);
    return ok;
}

/* ---- Messages ---- */

bool oro_tiled_flows_begin(const struct oro_tiled_course *course, enum oro_tiled_flow flow,
                           struct oro_tiled_flows *flows, struct oro_error *err)
{
    *flows = (struct oro_tiled_flows){.block = course->tile->block,
                                      .flow = flow,
                                      .exit_count = course->exit_count,
                                      .entry_count = course->entry_count};
    flows->exits = oro_alloc(course->exit_count, sizeof *flows->exits);
    flows->entries = oro_alloc(course->entry_count, sizeof *flows->entries);
    if (!flows->exits || !flows->entries)
        return oro_tiled_no_memory(&course->tile->block, err);
    for (uint32_t i = 0; i < course->exit_count; i++) {
        flows->exits[i].rim = course->exits[i];
        flows->exits[i].direction = course->tile->direction[oro_tiled_course_cell(course, course->exits[i])];
    }
    for (uint32_t i = 0; i < course->entry_count; i++)
        flows->entries[i].rim = course->entries[i];
    return true;
}

bool oro_tiled_tell(const struct oro_tiled_course *course, const struct oro_tiled_tracing *tracing,
                    struct oro_tiled_flows *flows, struct oro_tiled_bytes *message, struct oro_error *err)
{
    bool ok = oro_tiled_trace(course, tracing, flows, err);
    if (ok) {
        oro_tiled_flows_write(flows, message);
        ok = !message->failed || oro_tiled_no_memory(&course->tile->block, err);
    }
    oro_tiled_flows_free(flows);
    return ok;
}
