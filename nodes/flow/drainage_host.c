#include "nodes/flow/drainage_host.h"

#include "base/memory.h"
#include "terrain/drainage/drain.h"

static size_t cells_of(const struct oro_drainage_tree *tree)
{
    return oro_grid_cells(oro_eval_grid(tree->eval));
}

/* `input` as a raster on the host: the link, or the literal everywhere, made on first use into `*own`. NULL:
 * failed. */
static const float *raster_of(struct oro_drainage_tree *tree, const char *input, float literal, float **own)
{
    if (oro_eval_linked(tree->eval, input))
        return oro_eval_input_host(tree->eval, input);
    size_t cells = cells_of(tree);
    if (!*own)
        *own = oro_alloc(cells, sizeof **own);
    for (size_t i = 0; *own && i < cells; i++)
        (*own)[i] = literal;
    if (!*own)
        oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory for %zu cells", cells);
    return *own;
}

static bool find_outlets(struct oro_drainage_tree *tree)
{
    struct oro_eval *e = tree->eval;
    size_t cells = cells_of(tree);
    if (!tree->outlets && !oro_eval_linked(e, "sea") && !(tree->sea > 0.5f))
        return true;
    if (!tree->outlets)
        return (tree->ground.sea = raster_of(tree, "sea", tree->sea, &tree->host_sea));
    if (!tree->host_sea && !(tree->host_sea = oro_alloc(cells, sizeof *tree->host_sea)))
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
    tree->ground.sea = tree->host_sea;
    return oro_eval_download(e, tree->outlets, tree->host_sea, cells * sizeof *tree->host_sea);
}

/* Where the heights of the ground are, or are brought to. NULL: failed. */
static const float *host_of(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    size_t cells = cells_of(tree);
    const float *there = oro_eval_memory(tree->eval, z, false);
    if (there)
        return there;
    if (!tree->host_z && !(tree->host_z = oro_alloc(cells, sizeof *tree->host_z)))
        oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory for %zu cells", cells);
    return tree->host_z && oro_eval_download(tree->eval, z, tree->host_z, cells * sizeof *tree->host_z)
               ? tree->host_z
               : NULL;
}

bool oro_drainage_tree_host_ground(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    struct oro_eval *e = tree->eval;
    const struct oro_grid *grid = oro_eval_grid(e);
    tree->z = z;
    tree->ground = (struct oro_ground){.width = grid->width,
                                       .height = grid->height,
                                       .z = host_of(tree, z),
                                       .walls = tree->walls,
                                       .stop = oro_eval_stopped,
                                       .user = e};
    return tree->ground.z && find_outlets(tree);
}

bool oro_drainage_tree_host_route(struct oro_drainage_tree *tree)
{
    struct oro_error err;
    oro_routing_free(&tree->routing);
    return oro_route(&tree->ground, &tree->routing, &err) || oro_eval_failed(tree->eval, &err);
}

/* Room on the host; failing sticks to the evaluation. */
static void *host_memory(struct oro_drainage_tree *tree)
{
    void *made = oro_alloc(cells_of(tree), sizeof(float));
    if (!made)
        oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory for %zu cells", cells_of(tree));
    return made;
}

static bool put(struct oro_drainage_tree *tree, struct oro_buffer *to, const void *data)
{
    return oro_eval_upload(tree->eval, to, data, cells_of(tree) * sizeof(float));
}

/* What a buffer is to get: in its memory, or else in some of its own. */
struct made {
    struct oro_buffer *to;
    void *data; /* NULL: failed */
    bool own;
};
static struct made begin_making(struct oro_drainage_tree *tree, struct oro_buffer *to)
{
    void *there = oro_eval_memory(tree->eval, to, true);
    return (struct made){to, there ? there : host_memory(tree), !there};
}

/* Brings it there, if `ok`. */
static bool end_making(struct oro_drainage_tree *tree, struct made made, bool ok)
{
    ok = ok && made.data && (!made.own || put(tree, made.to, made.data));
    if (made.own)
        oro_free(made.data);
    return ok;
}

static bool put_drainage(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage)
{
    struct oro_error err;
    const float *fallen = NULL;
    float *none = NULL;
    struct made area = begin_making(tree, drainage);
    bool ok = area.data && (!rain || (fallen = raster_of(tree, "rain", tree->rain, &none)));
    if (ok && !oro_drainage_area(&tree->routing, oro_eval_grid(tree->eval)->cell, fallen, area.data, &err))
        ok = oro_eval_failed(tree->eval, &err);
    oro_free(none);
    return end_making(tree, area, ok);
}

static bool put_carved(struct oro_drainage_tree *tree, enum oro_breach_method method,
                       struct oro_buffer *carved)
{
    struct oro_error err;
    size_t gentle = 0;
    struct oro_breaching how = {.method = method, .fall = tree->fall, .gentle = &gentle};
    struct made out = begin_making(tree, carved);
    bool ok = out.data;
    if (ok &&
        !oro_breach(&tree->ground, method == ORO_BREACH_FLOOD ? NULL : &tree->routing, &how, out.data, &err))
        ok = oro_eval_failed(tree->eval, &err);
    tree->gentle = (double)gentle;
    return end_making(tree, out, ok);
}

bool oro_drainage_tree_host_carve(struct oro_drainage_tree *tree, struct oro_buffer *carved)
{
    struct oro_error err;
    struct made out = begin_making(tree, carved);
    bool ok = out.data;
    if (ok && !oro_carve(&tree->ground, &tree->carving, out.data, &err))
        ok = oro_eval_failed(tree->eval, &err);
    oro_routing_free(&tree->routing);
    tree->gentle = 0;
    return end_making(tree, out, ok);
}

bool oro_drainage_tree_host_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                                    struct oro_buffer *carved)
{
    return (!drainage || put_drainage(tree, rain, drainage)) &&
           (!carved || put_carved(tree, ORO_BREACH_SUBTREE, carved));
}

bool oro_drainage_tree_host_receivers(struct oro_drainage_tree *tree, struct oro_buffer *receivers)
{
    return put(tree, receivers, tree->routing.receiver);
}

bool oro_drainage_tree_host_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                                  struct oro_buffer *h)
{
    size_t bytes = cells_of(tree) * sizeof(float);
    float *share = host_memory(tree), *solution = host_memory(tree);
    bool ok = share && solution && oro_eval_download(tree->eval, a, solution, bytes) &&
              oro_eval_download(tree->eval, b, share, bytes);
    if (ok) {
        oro_drainage_tree_recurrence(&tree->routing, share, solution);
        ok = put(tree, h, solution);
    }
    oro_free(share);
    oro_free(solution);
    return ok;
}

bool oro_drainage_tree_host_flood(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                  struct oro_buffer *carved)
{
    struct oro_error err;
    if (!oro_drainage_tree_host_ground(tree, z))
        return false;
    if (!oro_ground_check(&tree->ground, &err))
        return oro_eval_failed(tree->eval, &err);
    return put_carved(tree, ORO_BREACH_FLOOD, carved);
}

bool oro_drainage_tree_host_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled)
{
    struct oro_error err;
    float *out = host_memory(tree);
    bool ok = out;
    if (ok && !oro_fill(&tree->ground, &tree->routing, sloped, out, &err))
        ok = oro_eval_failed(tree->eval, &err);
    ok = ok && put(tree, filled, out);
    oro_free(out);
    return ok;
}

static bool put_numbers(struct oro_drainage_tree *tree, const uint32_t *numbers, float *as_float,
                        struct oro_buffer *to)
{
    for (size_t i = 0; i < cells_of(tree); i++)
        as_float[i] = (float)numbers[i];
    return put(tree, to, as_float);
}

static bool put_receivers(struct oro_drainage_tree *tree, float *as_float, struct oro_buffer *to)
{
    uint32_t width = (uint32_t)tree->routing.width;
    for (size_t i = 0; i < cells_of(tree); i++) {
        uint32_t cell = (uint32_t)i, receiver = tree->routing.receiver[i];
        uint32_t down = receiver / width + 1 - cell / width, across = receiver % width + 1 - cell % width;
        uint32_t at = 3 * down + across; /* of the 3 x 3 cells around; 4 is the cell itself */
        as_float[i] = at == 4 ? 8 : (float)(at > 4 ? at - 1 : at);
    }
    return put(tree, to, as_float);
}

/* Where the water of a wet cell comes to a dry one, the lake spills over. */
static bool put_spills(struct oro_drainage_tree *tree, const uint32_t *lakes, float *as_float,
                       struct oro_buffer *to)
{
    for (size_t i = 0; i < cells_of(tree); i++)
        as_float[i] = 0;
    for (size_t i = 0; i < cells_of(tree); i++) {
        uint32_t receiver = tree->routing.receiver[i];
        if (lakes[i] && !lakes[receiver])
            as_float[receiver] = (float)lakes[i];
    }
    return put(tree, to, as_float);
}

bool oro_drainage_tree_host_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                                   struct oro_drainage_tree_numbers *n)
{
    uint32_t *numbers = host_memory(tree);
    float *as_float = host_memory(tree);
    bool ok = numbers && as_float;
    if (ok) {
        n->watershed_count = oro_watersheds(&tree->routing, numbers);
        ok = put_numbers(tree, numbers, as_float, n->watersheds);
    }
    ok = ok && oro_eval_download(tree->eval, level, as_float, cells_of(tree) * sizeof *as_float);
    if (ok) {
        n->lake_count = oro_lakes(&tree->ground, &tree->routing, as_float, numbers);
        ok = put_numbers(tree, numbers, as_float, n->lakes) &&
             put_spills(tree, numbers, as_float, n->spills) && put_receivers(tree, as_float, n->receivers);
    }
    oro_free(numbers);
    oro_free(as_float);
    return ok;
}

bool oro_drainage_tree_host_complain(struct oro_drainage_tree *tree, bool filling)
{
    struct oro_error err;
    float *out = host_memory(tree);
    if (!out || !oro_drainage_tree_host_ground(tree, tree->z) || !oro_drainage_tree_host_route(tree)) {
        oro_free(out);
        return false;
    }
    bool found = filling ? !oro_fill(&tree->ground, &tree->routing, true, out, &err)
                         : !oro_breach(&tree->ground, &tree->routing, &(struct oro_breaching){0}, out, &err);
    oro_free(out);
    if (found)
        return oro_eval_failed(tree->eval, &err);
    return oro_eval_fail(tree->eval, ORO_E_EVALUATE,
                         "device and processor disagree about whether this terrain can be drained");
}
