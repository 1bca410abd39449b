#include "nodes/flow/drainage_tree.h"

#include "base/memory.h"
#include "nodes/flow/drainage_host.h"
#include "nodes/flow/drainage_kernels.h"
#include "nodes/flow/drainage_patches.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/flow/drainage_tree_private.h"

bool oro_outlets_shape(struct oro_shape *shape, float sea, int borders, struct oro_grid *grid)
{
    *grid = *oro_shape_input(shape, "terrain");
    if (borders == 0 || sea > 0.5f || oro_shape_input(shape, "sea"))
        return true;
    struct oro_error err;
    oro_fail(&err, ORO_E_DOCUMENT,
             "water has nowhere to go: 'borders' is walls and there is no sea; "
             "set it to outflow, or link a mask to 'sea'");
    return oro_shape_failed(shape, &err);
}

static bool begin(struct oro_drainage_tree *tree)
{
    tree->on_processor = oro_eval_spread(tree->eval) || oro_eval_on_processor(tree->eval);
    tree->grid = *oro_eval_grid(tree->eval);
    tree->flags_used = ORO_DRAINAGE_TREE_FLAGS;
    tree->rain = 1;
    if (tree->on_processor)
        return true;
    return oro_drainage_tree_begin_kernels(tree);
}

bool oro_drainage_tree_begin(struct oro_eval *eval, float sea, int borders, struct oro_drainage_tree *tree)
{
    *tree = (struct oro_drainage_tree){.eval = eval, .sea = sea, .walls = borders != 0};
    return begin(tree);
}

bool oro_drainage_tree_begin_to(struct oro_eval *eval, struct oro_buffer *outlets,
                                struct oro_drainage_tree *tree)
{
    *tree = (struct oro_drainage_tree){.eval = eval, .outlets = outlets, .walls = true};
    return begin(tree);
}

void oro_drainage_tree_end(struct oro_drainage_tree *tree)
{
    oro_free(tree->dispatches);
    oro_free(tree->host_z);
    oro_free(tree->host_sea);
    oro_drainage_tree_free_tiles(tree);
    oro_drainage_patches_free(tree->patches);
    oro_routing_free(&tree->routing);
    oro_carving_scratch_free(&tree->carving);
}

/* Brings what was routed by tiles together, for what tiles cannot do. */
static bool make_whole(struct oro_drainage_tree *tree)
{
    if (!oro_drainage_tree_has_tiles(tree))
        return true;
    oro_drainage_tree_free_tiles(tree);
    return oro_drainage_tree_host_ground(tree, tree->z) && oro_drainage_tree_host_route(tree);
}

struct oro_buffer *oro_drainage_tree_receivers(struct oro_drainage_tree *tree)
{
    if (!tree->on_processor)
        return tree->next;
    if (!tree->next)
        tree->next = oro_eval_buffer(tree->eval, oro_grid_cells(&tree->grid));
    return tree->next && make_whole(tree) && oro_drainage_tree_host_receivers(tree, tree->next) ? tree->next
                                                                                                : NULL;
}

bool oro_drainage_tree_route(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    tree->z = z;
    oro_drainage_tree_free_tiles(tree);
    if (oro_drainage_tree_is_tiled(tree, z))
        return oro_drainage_tree_tiled_route(tree, z);
    if (tree->on_processor)
        return oro_drainage_tree_host_ground(tree, z) && oro_drainage_tree_host_route(tree);
    return oro_drainage_kernels_route(tree, z);
}

bool oro_drainage_tree_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                               struct oro_buffer *carved)
{
    return oro_drainage_tree_has_tiles(tree) ? oro_drainage_tree_tiled_collect(tree, rain, drainage, carved)
           : tree->on_processor              ? oro_drainage_tree_host_collect(tree, rain, drainage, carved)
                                             : oro_drainage_kernels_collect(tree, rain, drainage, carved);
}

bool oro_drainage_tree_carve(struct oro_drainage_tree *tree, struct oro_buffer *z, struct oro_buffer *carved)
{
    float fall = tree->fall;
    tree->fall = 0;
    bool ok = oro_drainage_tree_is_tiled(tree, z) ? oro_drainage_tree_tiled_carve(tree, z, carved)
              : tree->on_processor
                  ? oro_drainage_tree_host_ground(tree, z) && oro_drainage_tree_host_carve(tree, carved)
                  : oro_drainage_kernels_carve(tree, z, carved);
    tree->fall = fall;
    return ok;
}

bool oro_drainage_tree_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled)
{
    return oro_drainage_tree_has_tiles(tree) ? oro_drainage_tree_tiled_fill(tree, sloped, filled)
           : tree->on_processor              ? oro_drainage_tree_host_fill(tree, sloped, filled)
                                             : oro_drainage_kernels_fill(tree, sloped, filled);
}

bool oro_drainage_tree_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                             struct oro_buffer *h)
{
    return tree->on_processor ? make_whole(tree) && oro_drainage_tree_host_solve(tree, a, b, h)
                              : oro_drainage_kernels_solve(tree, a, b, h);
}

bool oro_drainage_tree_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                              struct oro_drainage_tree_numbers *numbers)
{
    return oro_drainage_tree_has_tiles(tree) ? oro_drainage_tree_tiled_number(tree, numbers)
           : tree->on_processor              ? oro_drainage_tree_host_number(tree, level, numbers)
                                             : oro_drainage_kernels_number(tree, level, numbers);
}

bool oro_drainage_tree_breach_by_flood(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                       struct oro_buffer *carved)
{
    oro_drainage_tree_free_tiles(tree);
    return oro_drainage_tree_host_flood(tree, z, carved);
}
