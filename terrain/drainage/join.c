#include "terrain/drainage/join.h"

#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/join_private.h"
#include "terrain/drainage/routing_private.h"

int oro_tiled_family_count(const struct oro_tiled_family *family)
{
    return oro_tiled_count(family->block.width, family->width) *
           oro_tiled_count(family->block.height, family->height);
}

struct oro_tiled_block oro_tiled_family_block(const struct oro_tiled_family *family, int which)
{
    return oro_tiled_cut(&family->block, family->width, family->height, which);
}

int oro_tiled_family_of(const struct oro_tiled_family *family, struct oro_tiled_cell cell)
{
    return (cell.y - family->block.y) / family->height * oro_tiled_count(family->block.width, family->width) +
           (cell.x - family->block.x) / family->width;
}

bool oro_tiled_join_no_memory(const struct oro_tiled_family *family, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to join the tiles of %d x %d cells", family->block.width,
                    family->block.height);
}

bool oro_tiled_join_misfit(const struct oro_tiled_family *family, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE, "the drainage of the tiles of %d x %d cells does not fit together",
                    family->block.width, family->block.height);
}

struct oro_tiled_place oro_tiled_join_place(const struct oro_tiled_join *join, struct oro_tiled_cell cell)
{
    uint32_t child = (uint32_t)oro_tiled_family_of(&join->family, cell);
    return (struct oro_tiled_place){child, oro_tiled_rim_index(&join->graph[child].block, cell)};
}

static uint32_t vertex_of(const struct oro_tiled_join *join, uint32_t child, uint32_t vertex)
{
    return vertex == ORO_TILED_OUTSIDE ? ORO_TILED_OUTSIDE : join->base[child] + vertex;
}

uint32_t oro_tiled_join_vertex(const struct oro_tiled_join *join, struct oro_tiled_place place)
{
    uint32_t vertex = join->graph[place.child].vertex[place.rim];
    return vertex == ORO_TILED_NONE ? ORO_TILED_OUTSIDE : vertex_of(join, place.child, vertex);
}

bool oro_tiled_join_exit(const struct oro_tiled_join *join, uint32_t vertex, struct oro_tiled_place *place,
                         struct oro_tiled_cell *to)
{
    if (vertex == ORO_TILED_OUTSIDE)
        return false;
    uint32_t child = join->owner[vertex];
    const struct oro_tiled_graph *graph = &join->graph[child];
    uint32_t rim = graph->exit_cell[vertex - join->base[child]];
    if (rim == ORO_TILED_NONE)
        return false;
    *place = (struct oro_tiled_place){child, rim};
    *to = oro_tiled_neighbour(oro_tiled_rim_cell(&graph->block, rim), graph->exit[rim]);
    return true;
}

/* ---- Basins: what exits lead to ---- */

static bool number_vertices(struct oro_tiled_join *join)
{
    join->base = oro_alloc((size_t)join->children, sizeof *join->base);
    uint64_t vertices = 1;
    for (int i = 0; join->base && i < join->children; i++) {
        join->base[i] = (uint32_t)vertices - 1;
        vertices += join->graph[i].count - 1;
    }
    if (!join->base || vertices >= ORO_TILED_NONE / 2)
        return false;
    join->vertices = (uint32_t)vertices;
    join->owner = oro_alloc(vertices, sizeof *join->owner);
    join->next = oro_alloc(vertices, sizeof *join->next);
    join->end = oro_alloc(vertices, sizeof *join->end);
    join->stays = oro_alloc(vertices, sizeof *join->stays);
    join->group = oro_alloc(vertices, sizeof *join->group);
    if (!join->owner || !join->next || !join->end || !join->stays || !join->group)
        return false;
    for (int i = 0; i < join->children; i++)
        for (uint32_t v = 1; v < join->graph[i].count; v++)
            join->owner[join->base[i] + v] = (uint32_t)i;
    return true;
}

static void follow_exits(struct oro_tiled_join *join)
{
    struct oro_tiled_place place;
    struct oro_tiled_cell to;
    for (uint32_t v = 0; v < join->vertices; v++) {
        join->next[v] = join->end[v] = ORO_TILED_NONE;
        if (oro_tiled_join_exit(join, v, &place, &to) && oro_tiled_has(&join->family.block, to.x, to.y))
            join->next[v] = oro_tiled_join_vertex(join, oro_tiled_join_place(join, to));
    }
}

/* Goes down from every vertex to one whose end is known, then again to write it. Exits that lead in a circle
 * do not fit. */
static bool find_ends(struct oro_tiled_join *join)
{
    for (uint32_t start = 0; start < join->vertices; start++) {
        uint32_t v = start, steps = 0;
        while (join->end[v] == ORO_TILED_NONE && join->next[v] != ORO_TILED_NONE) {
            v = join->next[v];
            if (++steps > join->vertices)
                return false;
        }
        uint32_t end = join->end[v] == ORO_TILED_NONE ? v : join->end[v];
        join->end[v] = end;
        for (v = start; join->end[v] == ORO_TILED_NONE; v = join->next[v])
            join->end[v] = end;
    }
    return true;
}

/* Basins that reach the shared rim of the larger block have a vertex there. */
static void find_staying(struct oro_tiled_join *join)
{
    const struct oro_tiled_family *family = &join->family;
    uint32_t rim = oro_tiled_rim_count(&family->block);
    join->stays[ORO_TILED_OUTSIDE] = true;
    for (uint32_t i = 0; i < rim; i++) {
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&family->block, i);
        if (oro_tiled_is_shared(&family->grid, &family->block, cell))
            join->stays[join->end[oro_tiled_join_vertex(join, oro_tiled_join_place(join, cell))]] = true;
    }
}

/* ---- The spanning tree ---- */

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Kruskal's algorithm. Where one side of a link does not stay, the link is its lowest to the rest of the
 * terrain, since all there is of it is known here. `tree`: connected in the forest of all links; `group`: by
 * such links alone; of the latter, the first of each knows in `stays` whether it has a basin that stays. */
static void span(struct oro_tiled_join *join, uint32_t *tree, uint32_t *group, uint32_t *staying)
{
    for (uint32_t i = 0; i < join->vertices; i++) {
        tree[i] = group[i] = i;
        staying[i] = join->end[i] == i && join->stays[i] ? i : ORO_TILED_NONE;
    }
    for (size_t i = 0; i < join->link_count; i++) {
        uint32_t lower = join->end[join->links[i].lower], upper = join->end[join->links[i].upper];
        uint32_t a = find(tree, lower), b = find(tree, upper);
        if (a == b)
            continue;
        tree[a] = b;
        a = find(group, lower);
        b = find(group, upper);
        if (staying[a] != ORO_TILED_NONE && staying[b] != ORO_TILED_NONE) {
            join->edges[join->edge_count++] = (uint32_t)i;
            continue;
        }
        join->trees[join->tree_count++] = (uint32_t)i;
        group[a] = b;
        if (staying[b] == ORO_TILED_NONE)
            staying[b] = staying[a];
    }
    for (uint32_t i = 0; i < join->vertices; i++)
        join->group[i] = staying[find(group, join->end[i])];
}

static bool make_groups(struct oro_tiled_join *join, struct oro_error *err)
{
    size_t capacity = join->link_count < join->vertices ? join->link_count : join->vertices;
    uint32_t *parent = oro_alloc(join->vertices, 3 * sizeof *parent);
    join->trees = oro_alloc(capacity, sizeof *join->trees);
    join->edges = oro_alloc(capacity, sizeof *join->edges);
    bool ok = parent && join->trees && join->edges;
    if (ok)
        span(join, parent, parent + join->vertices, parent + 2 * (size_t)join->vertices);
    oro_free(parent);
    if (!ok)
        return oro_tiled_join_no_memory(&join->family, err);
    for (uint32_t i = 0; i < join->vertices; i++)
        if (join->group[i] == ORO_TILED_NONE)
            return oro_fail_closed(err);
    return true;
}

/* ---- The larger block's graph ---- */

/* Pits of basins with exits, counted where these end. */
static void end_water(struct oro_tiled_join *join, struct oro_tiled_graph *graph, const uint32_t *number)
{
    struct oro_tiled_place place;
    struct oro_tiled_cell to;
    for (uint32_t v = 1; v < join->vertices; v++) {
        const struct oro_tiled_graph *child = &join->graph[join->owner[v]];
        if (!child->water)
            continue;
        uint64_t water = child->water[v - join->base[join->owner[v]]];
        uint32_t end = join->end[v];
        if (oro_tiled_join_exit(join, end, &place, &to)) {
            if (graph->water)
                graph->water[number[end]] += water;
        } else if (end != ORO_TILED_OUTSIDE)
            join->ending.ending += water;
    }
    graph->pits = join->ending.pits;
    graph->flats = join->ending.flats;
    graph->ending = join->ending.ending;
}

/* Numbers basins in the order in which they come along the rim. */
static void fill_rim(const struct oro_tiled_join *join, struct oro_tiled_graph *graph, uint32_t *number)
{
    for (uint32_t i = 0; i < graph->rim; i++) {
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&graph->block, i);
        if (!oro_tiled_is_shared(&join->family.grid, &graph->block, cell))
            continue;
        struct oro_tiled_place place = oro_tiled_join_place(join, cell);
        const struct oro_tiled_graph *child = &join->graph[place.child];
        uint32_t vertex = oro_tiled_join_vertex(join, place), end = join->end[vertex];
        if (number[end] == ORO_TILED_NONE)
            number[end] = graph->count++;
        graph->vertex[i] = number[end];
        graph->level[i] = child->level[place.rim];
        int exit = child->exit[place.rim];
        struct oro_tiled_cell to = exit < ORO_TILED_NO_EXIT ? oro_tiled_neighbour(cell, exit) : cell;
        if (!oro_tiled_has(&graph->block, to.x, to.y)) {
            graph->exit[i] = (uint8_t)exit;
            graph->exit_cell[number[end]] = i;
        }
    }
}

static bool fill_graph(struct oro_tiled_join *join, struct oro_tiled_graph *graph, struct oro_error *err)
{
    uint32_t *number = oro_alloc(join->vertices, sizeof *number);
    graph->edges = oro_alloc(join->edge_count, sizeof *graph->edges);
    if (!number || !graph->edges) {
        oro_free(number);
        return oro_tiled_join_no_memory(&join->family, err);
    }
    memset(number, 0xff, join->vertices * sizeof *number);
    number[ORO_TILED_OUTSIDE] = ORO_TILED_OUTSIDE;
    fill_rim(join, graph, number);
    for (uint32_t i = 0; i < join->edge_count; i++) {
        const struct oro_tiled_link *link = &join->links[join->edges[i]];
        graph->edges[i] = (struct oro_tiled_edge){.number = link->number,
                                                  .level = link->level,
                                                  .lower = number[join->group[link->lower]],
                                                  .upper = number[join->group[link->upper]]};
    }
    graph->edge_count = join->edge_count;
    end_water(join, graph, number);
    oro_free(number);
    return true;
}

static bool write_graph(struct oro_tiled_join *join, struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_graph graph;
    bool ok = oro_tiled_graph_begin(&graph, &join->family.block, join->graph[0].water != NULL, err) &&
              fill_graph(join, &graph, err);
    if (ok && message) {
        oro_tiled_graph_write(&graph, message);
        ok = !message->failed || oro_tiled_join_no_memory(&join->family, err);
    }
    oro_tiled_graph_free(&graph);
    return ok;
}

/* ---- Together ---- */

static bool read_graphs(struct oro_tiled_join *join, const struct oro_tiled_view *graphs,
                        struct oro_error *err)
{
    join->graph = oro_alloc((size_t)join->children, sizeof *join->graph);
    if (!join->graph)
        return oro_tiled_join_no_memory(&join->family, err);
    for (int i = 0; i < join->children; i++) {
        struct oro_tiled_block block = oro_tiled_family_block(&join->family, i);
        struct oro_tiled_graph *graph = &join->graph[i];
        if (!oro_tiled_graph_read(graph, &join->family.grid, &block, graphs[i], err))
            return false;
        join->ending.pits += graph->pits;
        join->ending.flats += graph->flats;
        join->ending.ending += graph->ending;
    }
    return true;
}

static bool make_join(struct oro_tiled_join *join, const struct oro_tiled_view *graphs,
                      struct oro_tiled_bytes *message, struct oro_error *err)
{
    if (!read_graphs(join, graphs, err))
        return false;
    if (!number_vertices(join))
        return oro_tiled_join_no_memory(&join->family, err);
    follow_exits(join);
    if (!find_ends(join))
        return oro_tiled_join_misfit(&join->family, err);
    find_staying(join);
    return oro_tiled_join_links(join, err) && make_groups(join, err) && write_graph(join, message, err);
}

struct oro_tiled_join *oro_tiled_join(const struct oro_tiled_family *family,
                                      const struct oro_tiled_view *graphs, struct oro_tiled_bytes *message,
                                      struct oro_error *err)
{
    struct oro_tiled_join *join = oro_alloc(1, sizeof *join);
    if (!join) {
        oro_tiled_join_no_memory(family, err);
        return NULL;
    }
    join->family = *family;
    join->children = oro_tiled_family_count(family);
    if (make_join(join, graphs, message, err))
        return join;
    oro_tiled_join_free(join);
    return NULL;
}

void oro_tiled_join_free(struct oro_tiled_join *join)
{
    if (!join)
        return;
    for (int i = 0; join->graph && i < join->children; i++)
        oro_tiled_graph_free(&join->graph[i]);
    oro_free(join->graph);
    oro_free(join->base);
    oro_free(join->owner);
    oro_free(join->next);
    oro_free(join->end);
    oro_free(join->stays);
    oro_free(join->group);
    oro_free(join->links);
    oro_free(join->trees);
    oro_free(join->edges);
    oro_free(join);
}

struct oro_tiled_ending oro_tiled_join_ending(const struct oro_tiled_join *join)
{
    return join->ending;
}
