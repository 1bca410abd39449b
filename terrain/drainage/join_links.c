/* Links between the vertices of blocks that are joined. */
#include <stdlib.h>

#include "base/memory.h"
#include "terrain/drainage/join_private.h"

/* Neighbouring basins meet in many cells, but in few places: a small table of the pairs met last keeps the
 * lowest link of each until another pair needs its slot (as terrain/drainage/saddles.c). */
enum { SLOT_BITS = 12, SLOTS = 1 << SLOT_BITS };

struct gathering {
    struct oro_tiled_join *join;
    struct oro_tiled_link *slots; /* empty: number UINT64_MAX */
    bool failed;
};

static bool comes_before(const struct oro_tiled_link *a, const struct oro_tiled_link *b)
{
    return a->level != b->level ? a->level < b->level : a->number < b->number;
}

static void keep(struct gathering *g, const struct oro_tiled_link *link)
{
    void *items = g->join->links;
    if (g->failed || !oro_reserve(&items, &g->join->link_capacity, g->join->link_count + 1, sizeof *link)) {
        g->failed = true;
        return;
    }
    g->join->links = items;
    g->join->links[g->join->link_count++] = *link;
}

static void meet(struct gathering *g, const struct oro_tiled_link *link)
{
    const uint32_t *end = g->join->end;
    uint32_t a = end[link->lower], b = end[link->upper];
    if (a == b)
        return;
    struct oro_tiled_link *slot =
        &g->slots[((a ^ b) * 2654435769u ^ (a + b) * 2246822519u) >> (32 - SLOT_BITS)];
    bool taken = slot->number != UINT64_MAX, same = false;
    if (taken) {
        uint32_t p = end[slot->lower], q = end[slot->upper];
        same = (p == a && q == b) || (p == b && q == a);
    }
    if (same && comes_before(slot, link))
        return;
    if (taken && !same)
        keep(g, slot);
    *slot = *link;
}

/* ---- Those within the blocks ---- */

/* In the larger block, cells lie in other rows. */
static uint64_t number_in(const struct oro_tiled_block *larger, const struct oro_tiled_block *block,
                          uint64_t number)
{
    uint64_t cell = number >> 2, width = (uint64_t)block->width;
    uint64_t row = cell / width + (uint64_t)(block->y - larger->y);
    uint64_t column = cell % width + (uint64_t)(block->x - larger->x);
    return 4 * (row * (uint64_t)larger->width + column) + (number & 3);
}

static void gather_within(struct gathering *g, uint32_t child)
{
    const struct oro_tiled_graph *graph = &g->join->graph[child];
    uint32_t base = g->join->base[child];
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct oro_tiled_edge *edge = &graph->edges[i];
        struct oro_tiled_link link = {
            .number = number_in(&g->join->family.block, &graph->block, edge->number),
            .level = edge->level,
            .lower = edge->lower == ORO_TILED_OUTSIDE ? ORO_TILED_OUTSIDE : base + edge->lower,
            .upper = edge->upper == ORO_TILED_OUTSIDE ? ORO_TILED_OUTSIDE : base + edge->upper,
            .child = child,
            .edge = i};
        meet(g, &link);
    }
}

/* ---- Those between them ---- */

static void gather_way(struct gathering *g, struct oro_tiled_place here, struct oro_tiled_cell cell,
                       int direction)
{
    const struct oro_tiled_join *join = g->join;
    const struct oro_tiled_block *block = &join->family.block;
    struct oro_tiled_cell to = oro_tiled_neighbour(cell, direction);
    if (!oro_tiled_has(block, to.x, to.y) || oro_tiled_has(&join->graph[here.child].block, to.x, to.y))
        return;
    struct oro_tiled_place there = oro_tiled_join_place(join, to);
    uint32_t level = join->graph[here.child].level[here.rim],
             other = join->graph[there.child].level[there.rim];
    uint64_t row = (uint64_t)(cell.y - block->y), column = (uint64_t)(cell.x - block->x);
    struct oro_tiled_link link = {.number =
                                      4 * (row * (uint64_t)block->width + column) + (uint64_t)(direction - 4),
                                  .level = level > other ? level : other,
                                  .lower = oro_tiled_join_vertex(join, here),
                                  .upper = oro_tiled_join_vertex(join, there),
                                  .child = ORO_TILED_NONE,
                                  .edge = ORO_TILED_NONE};
    meet(g, &link);
}

static void gather_between(struct gathering *g, uint32_t child)
{
    const struct oro_tiled_graph *graph = &g->join->graph[child];
    for (uint32_t i = 0; i < graph->rim; i++) {
        if (graph->vertex[i] == ORO_TILED_NONE)
            continue;
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&graph->block, i);
        for (int direction = 4; direction < 8; direction++)
            gather_way(g, (struct oro_tiled_place){child, i}, cell, direction);
    }
}

struct oro_tiled_cell oro_tiled_link_cell(const struct oro_tiled_join *join,
                                          const struct oro_tiled_link *link, bool upper)
{
    const struct oro_tiled_block *block = &join->family.block;
    uint64_t cell = link->number >> 2, width = (uint64_t)block->width;
    struct oro_tiled_cell lower = {block->x + (int)(cell % width), block->y + (int)(cell / width)};
    return upper ? oro_tiled_neighbour(lower, 4 + (int)(link->number & 3)) : lower;
}

/* ---- Together ---- */

static int compare(const void *a, const void *b)
{
    return comes_before(a, b) ? -1 : comes_before(b, a);
}

bool oro_tiled_join_links(struct oro_tiled_join *join, struct oro_error *err)
{
    struct gathering g = {.join = join, .slots = oro_alloc(SLOTS, sizeof *g.slots)};
    if (!g.slots)
        return oro_tiled_join_no_memory(&join->family, err);
    for (int i = 0; i < SLOTS; i++)
        g.slots[i].number = UINT64_MAX;
    for (uint32_t i = 0; i < (uint32_t)join->children; i++) {
        gather_within(&g, i);
        gather_between(&g, i);
    }
    for (int i = 0; i < SLOTS; i++)
        if (g.slots[i].number != UINT64_MAX)
            keep(&g, &g.slots[i]);
    oro_free(g.slots);
    if (g.failed)
        return oro_tiled_join_no_memory(&join->family, err);
    if (join->link_count)
        qsort(join->links, join->link_count, sizeof *join->links, compare);
    return true;
}
