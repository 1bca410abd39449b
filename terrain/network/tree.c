/* Networks that ought to be trees: whether they are, and what follows from that. */
#include "base/memory.h"
#include "terrain/network/network_private.h"

/* The root of a vertex among those joined so far; shortens the way there. */
static uint32_t root_of(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex) {
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    return vertex;
}

static bool fail_loop(const struct oro_network *network, uint32_t line, uint32_t vertex,
                      struct oro_error *err)
{
    const struct oro_vertex *v = &oro_network_vertices(network)[vertex];
    return oro_fail(
        err, ORO_E_EVALUATE,
        "the network has a loop: its line %u closes one near %g, %g m; a tree is needed, in which "
        "one way leads from any place to any other",
        line + 1, (double)v->x, (double)v->y);
}

static bool join_all(const struct oro_network *network, uint32_t *parent, struct oro_error *err)
{
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    for (uint32_t i = 0; i < network->vertex_count; i++)
        parent[i] = i;
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            if (indices[i] == indices[i + 1])
                continue; /* a point */
            uint32_t a = root_of(parent, indices[i]), b = root_of(parent, indices[i + 1]);
            if (a == b)
                return fail_loop(network, line, indices[i + 1], err);
            parent[a > b ? a : b] = a < b ? a : b;
        }
    return true;
}

static bool no_memory(const struct oro_network *network, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory for a network of %u vertices", network->vertex_count);
}

bool oro_network_check_tree(const struct oro_network *network, struct oro_error *err)
{
    uint32_t *parent = oro_alloc(network->vertex_count, sizeof *parent);
    bool ok = parent ? join_all(network, parent, err) : no_memory(network, err);
    oro_free(parent);
    return ok;
}

/* ---- Strahler order ---- */

/* Segments sorted by their upper end: those of vertex i lead to below[first[i]] ... below[first[i + 1] - 1].
 */
struct flow {
    uint32_t *first, *below;
    uint32_t *waiting;    /* of every vertex: upstream ones that have no order yet */
    uint32_t *ready;      /* vertices all of whose upstream has its order */
    unsigned char *joint; /* two or more upstream have the highest order */
};

static void sort_segments(const struct oro_network *network, struct flow *flow)
{
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    uint32_t *place = flow->ready; /* not needed yet */
    for (int filling = 0; filling < 2; filling++) {
        for (uint32_t line = 0; line < network->line_count; line++)
            for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
                uint32_t from = indices[i], to = indices[i + 1];
                if (from != to && filling) {
                    flow->below[place[from]++] = to;
                    flow->waiting[to]++;
                } else if (from != to)
                    flow->first[from + 1]++;
            }
        for (uint32_t i = 0; !filling && i < network->vertex_count; i++) {
            flow->first[i + 1] += flow->first[i];
            place[i] = flow->first[i];
        }
    }
}

/* An upstream vertex of order `order` runs into `to`. */
static void run_into(struct flow *flow, uint32_t to, uint32_t above, uint32_t *order)
{
    flow->joint[to] = above == order[to] || (above < order[to] && flow->joint[to]);
    order[to] = above > order[to] ? above : order[to];
}

/* In a network without loops every vertex gets its turn. */
static void give_orders(uint32_t count, struct flow *flow, uint32_t *order)
{
    uint32_t ready = 0;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = 0;
        if (flow->waiting[i] == 0)
            flow->ready[ready++] = i;
    }
    while (ready > 0) {
        uint32_t vertex = flow->ready[--ready];
        order[vertex] = order[vertex] == 0 ? 1 : order[vertex] + flow->joint[vertex];
        for (uint32_t i = flow->first[vertex]; i < flow->first[vertex + 1]; i++) {
            uint32_t to = flow->below[i];
            run_into(flow, to, order[vertex], order);
            if (--flow->waiting[to] == 0)
                flow->ready[ready++] = to;
        }
    }
}

bool oro_network_strahler(const struct oro_network *network, uint32_t *order, struct oro_error *err)
{
    if (!oro_network_check_tree(network, err))
        return false;
    struct flow flow = {
        .first = oro_alloc((size_t)network->vertex_count + 1, sizeof *flow.first),
        .below = oro_alloc(network->index_count, sizeof *flow.below),
        .waiting = oro_alloc(network->vertex_count, sizeof *flow.waiting),
        .ready = oro_alloc(network->vertex_count, sizeof *flow.ready),
        .joint = oro_alloc(network->vertex_count, 1),
    };
    bool ok = flow.first && flow.below && flow.waiting && flow.ready && flow.joint;
    if (ok) {
        sort_segments(network, &flow);
        give_orders(network->vertex_count, &flow, order);
    }
    oro_free(flow.first);
    oro_free(flow.below);
    oro_free(flow.waiting);
    oro_free(flow.ready);
    oro_free(flow.joint);
    return ok || no_memory(network, err);
}
