/* Answers to the blocks that were joined. */
#include "base/memory.h"
#include "terrain/drainage/join_private.h"

struct parting {
    const struct oro_tiled_join *join;
    struct oro_tiled_turns *turns; /* of each block */
    bool *turned;                  /* of each vertex: its exit leads no longer out of its block */
    bool *left;                    /* of each group: it is known where it is left */
    uint32_t *queue;
    size_t queued;
    size_t *first; /* of each basin: place of its trees' links in `links`; and the end */
    uint32_t *links;
};

static void come_in(struct parting *p, struct oro_tiled_cell cell)
{
    struct oro_tiled_place place = oro_tiled_join_place(p->join, cell);
    p->turns[place.child].entry[place.rim] = 1;
}

static void leave_block(struct parting *p, struct oro_tiled_place place, struct oro_tiled_cell to)
{
    struct oro_tiled_cell cell = oro_tiled_rim_cell(&p->join->graph[place.child].block, place.rim);
    int direction = 0;
    for (; direction < 7; direction++) {
        struct oro_tiled_cell next = oro_tiled_neighbour(cell, direction);
        if (next.x == to.x && next.y == to.y)
            break;
    }
    oro_tiled_turns_leave(&p->turns[place.child], place.rim, direction);
}

/* Where a vertex is left, the way from there down to the end of its basin turns round: each block that it
 * leads through is left where water used to come in. */
static void turn_exits(struct parting *p, uint32_t vertex)
{
    const struct oro_tiled_join *join = p->join;
    struct oro_tiled_place exit;
    struct oro_tiled_cell to;
    for (; join->next[vertex] != ORO_TILED_NONE && oro_tiled_join_exit(join, vertex, &exit, &to);
         vertex = join->next[vertex]) {
        struct oro_tiled_cell from = oro_tiled_rim_cell(&join->graph[exit.child].block, exit.rim);
        p->turned[vertex] = true;
        leave_block(p, oro_tiled_join_place(join, to), from);
        come_in(p, from);
    }
}

/* One side of a link is left over it. */
static void leave_over(struct parting *p, const struct oro_tiled_link *link, bool upper)
{
    const struct oro_tiled_join *join = p->join;
    if (link->child == ORO_TILED_NONE) {
        struct oro_tiled_cell from = oro_tiled_link_cell(join, link, upper);
        struct oro_tiled_cell to = oro_tiled_link_cell(join, link, !upper);
        leave_block(p, oro_tiled_join_place(join, from), to);
        come_in(p, to);
    } else
        oro_tiled_turns_edge(&p->turns[link->child], link->edge, upper);
    turn_exits(p, upper ? link->upper : link->lower);
}

/* ---- What the larger block was told ---- */

static bool begin_group(struct parting *p, uint32_t vertex)
{
    uint32_t group = p->join->group[vertex];
    if (p->left[group] || group == ORO_TILED_OUTSIDE)
        return false;
    p->left[group] = true;
    p->queue[p->queued++] = p->join->end[vertex];
    return true;
}

static bool take_edges(struct parting *p, const struct oro_tiled_turns *turns)
{
    const struct oro_tiled_join *join = p->join;
    for (size_t i = 0; i < turns->edge_count; i++) {
        const struct oro_tiled_link *link = &join->links[join->edges[turns->edges[i] / 2]];
        bool upper = turns->edges[i] & 1;
        if (!begin_group(p, upper ? link->upper : link->lower))
            return false;
        leave_over(p, link, upper);
    }
    return true;
}

static bool take_leaving(struct parting *p, const struct oro_tiled_turns *turns)
{
    const struct oro_tiled_join *join = p->join;
    const struct oro_tiled_family *family = &join->family;
    struct oro_tiled_block all = oro_tiled_all(&family->grid);
    for (size_t i = 0; i < turns->leaving_count; i++) {
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&family->block, (uint32_t)(turns->leaving[i] / 8));
        struct oro_tiled_cell to = oro_tiled_neighbour(cell, (int)(turns->leaving[i] & 7));
        struct oro_tiled_place place = oro_tiled_join_place(join, cell);
        uint32_t vertex = oro_tiled_join_vertex(join, place);
        if (oro_tiled_has(&family->block, to.x, to.y) || !oro_tiled_has(&all, to.x, to.y) ||
            !begin_group(p, vertex))
            return false;
        leave_block(p, place, to);
        turn_exits(p, vertex);
    }
    return true;
}

static bool take_answer(struct parting *p, const struct oro_tiled_view *answer, struct oro_error *err)
{
    const struct oro_tiled_family *family = &p->join->family;
    struct oro_tiled_turns turns;
    bool ok = oro_tiled_turns_read(&turns, &family->block, p->join->edge_count, *answer, err);
    if (ok && !(take_edges(p, &turns) && take_leaving(p, &turns)))
        ok = oro_tiled_join_misfit(family, err);
    for (uint32_t i = 0; ok && i < turns.rim; i++)
        if (turns.entry[i])
            come_in(p, oro_tiled_rim_cell(&family->block, i));
    oro_tiled_turns_free(&turns);
    return ok;
}

/* ---- Groups as trees, from where each is left ---- */

static bool list_links(struct parting *p)
{
    const struct oro_tiled_join *join = p->join;
    size_t *first = p->first = oro_alloc((size_t)join->vertices + 2, sizeof *first);
    p->links = oro_alloc(join->tree_count, 2 * sizeof *p->links);
    if (!first || !p->links)
        return false;
    for (uint32_t i = 0; i < join->tree_count; i++) {
        const struct oro_tiled_link *link = &join->links[join->trees[i]];
        first[join->end[link->lower] + 2]++;
        first[join->end[link->upper] + 2]++;
    }
    for (size_t i = 2; i < (size_t)join->vertices + 2; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < join->tree_count; i++) {
        const struct oro_tiled_link *link = &join->links[join->trees[i]];
        p->links[first[join->end[link->lower] + 1]++] = join->trees[i];
        p->links[first[join->end[link->upper] + 1]++] = join->trees[i];
    }
    return true;
}

/* Groups that are not left end in the basin that they were joined to. */
static void begin_others(struct parting *p)
{
    const struct oro_tiled_join *join = p->join;
    for (uint32_t i = 0; i < join->vertices; i++)
        if (join->end[i] == i && join->stays[i] && !p->left[i])
            p->queue[p->queued++] = i;
}

/* `done`: of each basin. */
static void part_groups(struct parting *p, bool *done)
{
    const struct oro_tiled_join *join = p->join;
    for (size_t i = 0; i < p->queued; i++)
        done[p->queue[i]] = true;
    for (size_t i = 0; i < p->queued; i++) {
        uint32_t basin = p->queue[i];
        for (size_t k = p->first[basin]; k < p->first[basin + 1]; k++) {
            const struct oro_tiled_link *link = &join->links[p->links[k]];
            bool upper = join->end[link->lower] == basin;
            uint32_t other = join->end[upper ? link->upper : link->lower];
            if (done[other])
                continue;
            done[other] = true;
            p->queue[p->queued++] = other;
            leave_over(p, link, upper);
        }
    }
}

/* Water still comes in through the exits that did not turn. */
static void keep_exits(struct parting *p)
{
    struct oro_tiled_place exit;
    struct oro_tiled_cell to;
    for (uint32_t v = 1; v < p->join->vertices; v++)
        if (p->join->next[v] != ORO_TILED_NONE && !p->turned[v] &&
            oro_tiled_join_exit(p->join, v, &exit, &to))
            come_in(p, to);
}

/* ---- Together ---- */

static bool make_room(struct parting *p, bool **done, struct oro_error *err)
{
    const struct oro_tiled_join *join = p->join;
    p->turns = oro_alloc((size_t)join->children, sizeof *p->turns);
    p->turned = oro_alloc(join->vertices, sizeof *p->turned);
    p->left = oro_alloc(join->vertices, sizeof *p->left);
    p->queue = oro_alloc(join->vertices, sizeof *p->queue);
    *done = oro_alloc(join->vertices, sizeof **done);
    bool ok = p->turns && p->turned && p->left && p->queue && *done && list_links(p);
    for (int i = 0; ok && i < join->children; i++)
        ok = oro_tiled_turns_begin(&p->turns[i], &join->graph[i].block, err);
    if (!ok)
        oro_tiled_join_no_memory(&join->family, err);
    return ok;
}

static void free_room(struct parting *p)
{
    for (int i = 0; p->turns && i < p->join->children; i++)
        oro_tiled_turns_free(&p->turns[i]);
    oro_free(p->turns);
    oro_free(p->turned);
    oro_free(p->left);
    oro_free(p->queue);
    oro_free(p->first);
    oro_free(p->links);
}

bool oro_tiled_part(const struct oro_tiled_join *join, const struct oro_tiled_view *answer,
                    struct oro_tiled_bytes *answers, struct oro_error *err)
{
    struct parting p = {.join = join};
    bool *done = NULL, ok = make_room(&p, &done, err) && (!answer || take_answer(&p, answer, err));
    if (ok) {
        begin_others(&p);
        part_groups(&p, done);
        keep_exits(&p);
    }
    for (int i = 0; ok && i < join->children; i++) {
        oro_tiled_turns_write(&p.turns[i], &join->graph[i].block, &answers[i]);
        ok = !answers[i].failed || oro_tiled_join_no_memory(&join->family, err);
    }
    oro_free(done);
    free_room(&p);
    return ok;
}
