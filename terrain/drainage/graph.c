#include "terrain/drainage/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool no_memory(const struct oro_tiled_block *block, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to drain the rim of %d x %d cells", block->width,
                    block->height);
}

bool oro_tiled_graph_begin(struct oro_tiled_graph *graph, const struct oro_tiled_block *block, bool water,
                           struct oro_error *err)
{
    uint32_t rim = oro_tiled_rim_count(block);
    *graph = (struct oro_tiled_graph){.block = *block, .rim = rim, .count = 1};
    graph->vertex = oro_alloc(rim, sizeof *graph->vertex);
    graph->level = oro_alloc(rim, sizeof *graph->level);
    graph->exit = oro_alloc(rim, sizeof *graph->exit);
    graph->exit_cell = oro_alloc(rim + 1, sizeof *graph->exit_cell);
    graph->water = water ? oro_alloc(rim + 1, sizeof *graph->water) : NULL;
    if (!graph->vertex || !graph->level || !graph->exit || !graph->exit_cell || (water && !graph->water))
        return no_memory(block, err);
    memset(graph->vertex, 0xff, rim * sizeof *graph->vertex);
    memset(graph->exit, ORO_TILED_NO_EXIT, rim);
    memset(graph->exit_cell, 0xff, (rim + 1) * sizeof *graph->exit_cell);
    return true;
}

void oro_tiled_graph_free(struct oro_tiled_graph *graph)
{
    oro_free(graph->vertex);
    oro_free(graph->level);
    oro_free(graph->exit);
    oro_free(graph->exit_cell);
    oro_free(graph->water);
    oro_free(graph->edges);
    *graph = (struct oro_tiled_graph){0};
}

/* ---- The graph as a message: of each rim cell a byte, its exit and how its vertex is told, and its level
 * ---- */

enum telling { AS_BEFORE, NEXT, OUTSIDE, BY_NUMBER, TELLINGS };

static enum telling telling_of(uint32_t vertex, uint32_t before, uint32_t next)
{
    return vertex == before              ? AS_BEFORE
           : vertex == next              ? NEXT
           : vertex == ORO_TILED_OUTSIDE ? OUTSIDE
                                         : BY_NUMBER;
}

static void write_rim(const struct oro_tiled_graph *graph, struct oro_tiled_bytes *bytes)
{
    uint32_t before = ORO_TILED_OUTSIDE, next = 1;
    for (uint32_t i = 0; i < graph->rim; i++) {
        uint32_t vertex = graph->vertex[i];
        if (vertex == ORO_TILED_NONE)
            continue;
        enum telling telling = telling_of(vertex, before, next);
        oro_tiled_put_byte(bytes, graph->exit[i] | (unsigned)telling << 4);
        if (telling == BY_NUMBER)
            oro_tiled_put(bytes, vertex);
        oro_tiled_put_four(bytes, graph->level[i]);
        if (graph->water && graph->exit[i] < ORO_TILED_NO_EXIT)
            oro_tiled_put(bytes, graph->water[vertex]);
        next += telling == NEXT;
        before = vertex;
    }
}

void oro_tiled_graph_write(const struct oro_tiled_graph *graph, struct oro_tiled_bytes *bytes)
{
    oro_tiled_put_head(bytes, ORO_TILED_GRAPH, &graph->block);
    oro_tiled_put_byte(bytes, graph->water != NULL);
    if (graph->water) {
        oro_tiled_put(bytes, graph->pits);
        oro_tiled_put(bytes, graph->flats);
        oro_tiled_put(bytes, graph->ending);
    }
    write_rim(graph, bytes);
    uint32_t level = 0;
    oro_tiled_put(bytes, graph->edge_count);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct oro_tiled_edge *edge = &graph->edges[i];
        oro_tiled_put(bytes, edge->level - level);
        oro_tiled_put(bytes, edge->number);
        oro_tiled_put(bytes, edge->lower);
        oro_tiled_put(bytes, edge->upper);
        level = edge->level;
    }
}

/* ---- Reading it ---- */

static uint32_t read_vertex(struct oro_tiled_graph *graph, struct oro_tiled_reader *reader, unsigned telling,
                            uint32_t before)
{
    switch (telling) {
    case AS_BEFORE:
        return before;
    case NEXT:
        return graph->count++;
    case OUTSIDE:
        return ORO_TILED_OUTSIDE;
    case BY_NUMBER:
        return (uint32_t)oro_tiled_take(reader, graph->count - 1);
    default:
        reader->failed = true;
        return ORO_TILED_OUTSIDE;
    }
}

/* An exit leads out of the block, but not out of the terrain, and a vertex has one at the most. */
static void read_exit(struct oro_tiled_graph *graph, const struct oro_tiled_grid *grid, uint32_t index,
                      struct oro_tiled_reader *reader)
{
    struct oro_tiled_block all = oro_tiled_all(grid);
    uint32_t vertex = graph->vertex[index];
    struct oro_tiled_cell cell = oro_tiled_rim_cell(&graph->block, index);
    struct oro_tiled_cell to = oro_tiled_neighbour(cell, graph->exit[index]);
    if (vertex == ORO_TILED_OUTSIDE || graph->exit_cell[vertex] != ORO_TILED_NONE ||
        oro_tiled_has(&graph->block, to.x, to.y) || !oro_tiled_has(&all, to.x, to.y)) {
        reader->failed = true;
        return;
    }
    graph->exit_cell[vertex] = index;
    if (graph->water)
        graph->water[vertex] = oro_tiled_take(reader, UINT64_MAX / 4);
}

static void read_rim(struct oro_tiled_graph *graph, const struct oro_tiled_grid *grid,
                     struct oro_tiled_reader *reader)
{
    uint32_t before = ORO_TILED_OUTSIDE;
    for (uint32_t i = 0; i < graph->rim && !reader->failed; i++) {
        if (!oro_tiled_is_shared(grid, &graph->block, oro_tiled_rim_cell(&graph->block, i)))
            continue;
        unsigned told = oro_tiled_take_byte(reader), exit = told & 15;
        before = graph->vertex[i] = read_vertex(graph, reader, told >> 4, before);
        graph->level[i] = oro_tiled_take_four(reader);
        graph->exit[i] = (uint8_t)exit;
        if (exit > ORO_TILED_NO_EXIT)
            reader->failed = true;
        else if (exit < ORO_TILED_NO_EXIT && !reader->failed)
            read_exit(graph, grid, i, reader);
    }
}

static bool read_edges(struct oro_tiled_graph *graph, struct oro_tiled_reader *reader, struct oro_error *err)
{
    uint64_t cells = (uint64_t)graph->block.width * (uint64_t)graph->block.height;
    uint32_t level = 0, count = oro_tiled_take_count(reader, 4);
    graph->edges = oro_alloc(count, sizeof *graph->edges);
    if (!graph->edges)
        return no_memory(&graph->block, err);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        struct oro_tiled_edge *edge = &graph->edges[i];
        level += (uint32_t)oro_tiled_take(reader, UINT32_MAX - level);
        edge->level = level;
        edge->number = oro_tiled_take(reader, 4 * cells - 1);
        edge->lower = (uint32_t)oro_tiled_take(reader, graph->count - 1);
        edge->upper = (uint32_t)oro_tiled_take(reader, graph->count - 1);
    }
    graph->edge_count = count;
    return true;
}

bool oro_tiled_graph_read(struct oro_tiled_graph *graph, const struct oro_tiled_grid *grid,
                          const struct oro_tiled_block *block, struct oro_tiled_view message,
                          struct oro_error *err)
{
    struct oro_tiled_reader reader = oro_tiled_read(message);
    oro_tiled_take_head(&reader, ORO_TILED_GRAPH, block);
    bool water = oro_tiled_take_byte(&reader) != 0;
    if (!oro_tiled_graph_begin(graph, block, water, err))
        return false;
    if (water) {
        graph->pits = oro_tiled_take(&reader, UINT64_MAX / 4);
        graph->flats = oro_tiled_take(&reader, UINT64_MAX / 4);
        graph->ending = oro_tiled_take(&reader, UINT64_MAX / 4);
    }
    read_rim(graph, grid, &reader);
    return read_edges(graph, &reader, err) && oro_tiled_read_all(&reader, "drainage", block, err);
}

/* ---- Turns ---- */

bool oro_tiled_turns_begin(struct oro_tiled_turns *turns, const struct oro_tiled_block *block,
                           struct oro_error *err)
{
    *turns = (struct oro_tiled_turns){.rim = oro_tiled_rim_count(block)};
    turns->entry = oro_alloc(turns->rim, sizeof *turns->entry);
    return turns->entry || no_memory(block, err);
}

void oro_tiled_turns_free(struct oro_tiled_turns *turns)
{
    oro_free(turns->edges);
    oro_free(turns->leaving);
    oro_free(turns->entry);
    *turns = (struct oro_tiled_turns){0};
}

static void add(struct oro_tiled_turns *turns, uint64_t **list, size_t *count, size_t *capacity,
                uint64_t number)
{
    void *items = *list;
    if (turns->failed || !oro_reserve(&items, capacity, *count + 1, sizeof **list)) {
        turns->failed = true;
        return;
    }
    *list = items;
    (*list)[(*count)++] = number;
}

void oro_tiled_turns_edge(struct oro_tiled_turns *turns, uint32_t edge, bool upper)
{
    add(turns, &turns->edges, &turns->edge_count, &turns->edge_capacity, 2 * (uint64_t)edge + upper);
}

void oro_tiled_turns_leave(struct oro_tiled_turns *turns, uint32_t rim_cell, int direction)
{
    add(turns, &turns->leaving, &turns->leaving_count, &turns->leaving_capacity,
        8 * (uint64_t)rim_cell + (uint64_t)direction);
}

static int compare(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

static void write_numbers(uint64_t *numbers, size_t count, struct oro_tiled_bytes *bytes)
{
    if (count)
        qsort(numbers, count, sizeof *numbers, compare);
    oro_tiled_put_ascending(bytes, numbers, count);
}

void oro_tiled_turns_write(struct oro_tiled_turns *turns, const struct oro_tiled_block *block,
                           struct oro_tiled_bytes *bytes)
{
    oro_tiled_put_head(bytes, ORO_TILED_TURNS, block);
    write_numbers(turns->edges, turns->edge_count, bytes);
    write_numbers(turns->leaving, turns->leaving_count, bytes);
    for (uint32_t i = 0; i < turns->rim; i += 8) {
        unsigned byte = 0;
        for (uint32_t k = 0; k < 8 && i + k < turns->rim; k++)
            byte |= (unsigned)turns->entry[i + k] << k;
        oro_tiled_put_byte(bytes, byte);
    }
    bytes->failed = bytes->failed || turns->failed;
}

/* Ascending numbers below `end`. */
static uint64_t *read_numbers(struct oro_tiled_reader *reader, uint64_t end, size_t *count)
{
    uint64_t before = 0;
    *count = oro_tiled_take_count(reader, 1);
    uint64_t *numbers = oro_alloc(*count, sizeof *numbers);
    for (size_t i = 0; numbers && i < *count && !reader->failed; i++) {
        uint64_t more = oro_tiled_take(reader, end - before);
        if ((i && !more) || before + more >= end)
            reader->failed = true;
        numbers[i] = before += more;
    }
    return numbers;
}

bool oro_tiled_turns_read(struct oro_tiled_turns *turns, const struct oro_tiled_block *block, uint32_t edges,
                          struct oro_tiled_view message, struct oro_error *err)
{
    struct oro_tiled_reader reader = oro_tiled_read(message);
    if (!oro_tiled_turns_begin(turns, block, err))
        return false;
    oro_tiled_take_head(&reader, ORO_TILED_TURNS, block);
    turns->edges = read_numbers(&reader, 2 * (uint64_t)edges, &turns->edge_count);
    turns->leaving = read_numbers(&reader, 8 * (uint64_t)turns->rim, &turns->leaving_count);
    if (!turns->edges || !turns->leaving)
        return no_memory(block, err);
    for (uint32_t i = 0; i < turns->rim; i += 8) {
        unsigned byte = oro_tiled_take_byte(&reader);
        for (uint32_t k = 0; k < 8 && i + k < turns->rim; k++)
            turns->entry[i + k] = byte >> k & 1;
    }
    return oro_tiled_read_all(&reader, "turns", block, err);
}
