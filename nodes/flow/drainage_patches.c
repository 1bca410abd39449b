/* Patches: their ground and receivers on the device, and lists along their rims. */
#include "nodes/flow/drainage_patches.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/ranks.h"

void *oro_drainage_patches_alloc(struct oro_drainage_patches *p, size_t count, size_t size)
{
    void *memory = oro_alloc(count ? count : 1, size);
    if (!memory)
        oro_eval_fail(p->tree.eval, ORO_E_MEMORY, "no memory to drain a tile");
    return memory;
}

bool oro_drainage_patches_agree(struct oro_drainage_patches *p, bool ok, bool *unfit)
{
    struct oro_ranks *ranks = p->tiles.ranks;
    struct oro_error err = {0};
    uint64_t any = p->unfit;
    if (!ok)
        oro_eval_error(p->tree.eval, &err);
    ok = oro_drainage_tiles_agree(&p->tiles, ok, &err) &&
         (ranks->count == 1 || ranks->ops->greatest(ranks, &any, 1, &err));
    if (!ok)
        return oro_eval_failed(p->tree.eval, &err);
    *unfit = any != 0;
    return true;
}

/* ---- Places ---- */

size_t oro_drainage_patch_edge(const struct oro_drainage_patch *patch, uint32_t rim)
{
    const struct oro_tiled_block *block = &patch->tile.block;
    struct oro_tiled_cell cell = oro_tiled_rim_cell(block, rim);
    size_t width = (size_t)block->width, height = (size_t)block->height;
    size_t x = (size_t)(cell.x - block->x), y = (size_t)(cell.y - block->y);
    return y == 0 ? x : y == height - 1 ? width + x : x == 0 ? 2 * width + y : 2 * width + height + y;
}

size_t oro_drainage_patch_edges(const struct oro_drainage_patch *patch)
{
    return 2 * ((size_t)patch->tile.block.width + (size_t)patch->tile.block.height);
}

/* gles_shaders/lib/tiles.glsl: slot_of. */
static uint32_t slot_of(const struct oro_tiled_block *block, struct oro_tiled_cell cell)
{
    enum { TILE = ORO_DRAINAGE_TREE_RIM / 4 };
    int x = cell.x - block->x, y = cell.y - block->y, in_x = x % TILE, in_y = y % TILE;
    int side = in_y == 0 ? 0 : in_y == TILE - 1 ? 1 : in_x == 0 ? 2 : 3;
    int tile = y / TILE * oro_drainage_tree_tiles(block->width) + x / TILE;
    return (uint32_t)(tile * ORO_DRAINAGE_TREE_RIM + side * TILE + (side < 2 ? in_x : in_y));
}

static uint32_t *places_of(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                           const uint32_t *rim, uint32_t count,
                           uint32_t (*place)(const struct oro_tiled_block *, struct oro_tiled_cell))
{
    uint32_t *places = oro_drainage_patches_alloc(p, count, sizeof *places);
    for (uint32_t i = 0; places && i < count; i++)
        places[i] = place(&patch->tile.block, oro_tiled_rim_cell(&patch->tile.block, rim[i]));
    return places;
}

uint32_t *oro_drainage_patch_slots(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                                   const uint32_t *rim, uint32_t count)
{
    return places_of(p, patch, rim, count, slot_of);
}

uint32_t *oro_drainage_patch_cells(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                                   const uint32_t *rim, uint32_t count)
{
    return places_of(p, patch, rim, count, oro_drainage_patch_cell);
}

/* ---- Lists ---- */

uint32_t *oro_drainage_patch_read(struct oro_drainage_patches *p, struct oro_buffer *from,
                                  const uint32_t *places, uint32_t count)
{
    struct oro_drainage_tree *tree = &p->tree;
    uint32_t *values = oro_drainage_patches_alloc(p, count, sizeof *values);
    oro_drainage_tree_set(tree, TREE_READ, "count", count);
    bool ok = values && places;
    if (ok && count)
        ok = oro_eval_upload(tree->eval, p->places, places, count * sizeof *places) &&
             TREE_RUN(tree, TREE_READ, {"places", p->places}, {"buffer_of", from}, {"list", p->values}) &&
             oro_eval_download(tree->eval, p->values, values, count * sizeof *values);
    if (ok)
        return values;
    oro_free(values);
    return NULL;
}

bool oro_drainage_patch_write(struct oro_drainage_patches *p, struct oro_buffer *to, const uint32_t *places,
                              const uint32_t *values, uint32_t count, bool least)
{
    struct oro_drainage_tree *tree = &p->tree;
    int kernel = least ? TREE_LEAST : TREE_WRITE;
    oro_drainage_tree_set(tree, kernel, "count", count);
    return places && values &&
           (!count ||
            (oro_eval_upload(tree->eval, p->places, places, count * sizeof *places) &&
             oro_eval_upload(tree->eval, p->values, values, count * sizeof *values) &&
             TREE_RUN(tree, kernel, {"places", p->places}, {"buffer_of", to}, {"list", p->values})));
}

/* ---- The patch at hand ---- */

/* The dispatches for the size of a patch. */
static bool use_shape(struct oro_drainage_patches *p, const struct oro_tiled_block *block)
{
    struct oro_drainage_tree *tree = &p->tree;
    int i = 0;
    while (i < ORO_PATCH_SHAPES - 1 && p->shapes[i].dispatches &&
           (p->shapes[i].width != block->width || p->shapes[i].height != block->height))
        i++;
    tree->grid.width = block->width;
    tree->grid.height = block->height;
    if (!p->shapes[i].dispatches) {
        tree->dispatches = NULL;
        if (!oro_drainage_tree_plan(tree))
            return false;
        p->shapes[i].width = block->width;
        p->shapes[i].height = block->height;
        p->shapes[i].dispatches = tree->dispatches;
    }
    tree->dispatches = p->shapes[i].dispatches;
    return true;
}

static struct oro_window window_of(const struct oro_drainage_patch *patch)
{
    const struct oro_tiled_block *block = &patch->tile.block;
    return (struct oro_window){block->x, block->y, block->width, block->height};
}

/* The patch's part of a raster, into a buffer that is made when it is needed first. */
static bool load(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                 struct oro_buffer *raster, struct oro_buffer **to)
{
    struct oro_device *device = p->tiles.device;
    const struct oro_tiled_grid *cut = &p->tiles.cut;
    struct oro_window window = window_of(patch);
    struct oro_error err;
    if (!*to)
        *to = oro_eval_buffer(p->tree.eval, (size_t)cut->tile_width * (size_t)cut->tile_height);
    return *to && raster &&
           (device->tiles->load(device, raster, &window, *to, &err) || oro_eval_failed(p->tree.eval, &err));
}

static bool load_map(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch, const char *name,
                     struct oro_buffer **to)
{
    struct oro_eval *e = p->tree.eval;
    return !oro_drainage_tree_links(&p->tree, name) || load(p, patch, oro_eval_input(e, name), to);
}

bool oro_drainage_patch_join(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch)
{
    size_t bytes = (oro_drainage_patch_edges(patch) + 4) * sizeof *patch->ring;
    return oro_eval_upload(p->tree.eval, p->edges.ring, patch->ring, bytes) &&
           oro_drainage_tree_join_part(&p->tree, p->z);
}

bool oro_drainage_patch_turn(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch)
{
    struct oro_drainage_tree *tree = &p->tree;
    struct oro_buffer *ways = p->list;
    oro_drainage_tree_set(tree, TREE_REVERSE_PATHS, "count", patch->way_count);
    return !patch->way_count ||
           (oro_eval_upload(tree->eval, ways, patch->ways, 2 * patch->way_count * sizeof *patch->ways) &&
            oro_drainage_tree_repeat(tree, TREE_REVERSE_PATHS,
                                     (const struct oro_drainage_tree_slot[]){{"ways", ways}, {0}}));
}

bool oro_drainage_patch_take(struct oro_drainage_patches *p, struct oro_drainage_patch *patch)
{
    struct oro_drainage_tree *tree = &p->tree;
    const struct oro_tiled_block *block = &patch->tile.block;
    const struct oro_tiled_grid *cut = &p->tiles.cut;
    int north = block->y > 0, west = block->x > 0;
    int south = block->y + block->height < cut->height, east = block->x + block->width < cut->width;
    p->edges.shared = north + 2 * east + 4 * south + 8 * west;
    p->edges.borders = 15 - p->edges.shared;
    p->edges.inflow_count = 0;
    tree->next = patch->next ? patch->next : p->next;
    if (!use_shape(p, block) || !load(p, patch, p->whole->z, &p->z) ||
        !load_map(p, patch, "rain", &p->edges.rain) ||
        !(tree->outlets ? load(p, patch, p->whole->outlets, &tree->outlets)
                        : load_map(p, patch, "sea", &p->edges.sea)))
        return false;
    tree->z = p->z;
    if (patch->routed || !p->turned)
        return true;
    patch->routed = patch->next;
    return oro_drainage_patch_join(p, patch) && oro_drainage_tree_turn_part(tree) &&
           oro_drainage_patch_turn(p, patch);
}

bool oro_drainage_patch_store(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                              struct oro_buffer *to)
{
    struct oro_device *device = p->tiles.device;
    struct oro_window window = window_of(patch);
    struct oro_error err;
    return device->tiles->store(device, to, &window, p->out, &err) || oro_eval_failed(p->tree.eval, &err);
}

/* ---- Life ---- */

void oro_drainage_patch_clear(struct oro_drainage_patch *patch)
{
    oro_tiled_tile_free(&patch->tile);
    oro_tiled_graph_free(&patch->graph);
    oro_free(patch->ring);
    oro_free(patch->ways);
    oro_free(patch->exits);
    oro_free(patch->entries);
    oro_free(patch->entry_exit);
    oro_free(patch->entry_end);
    oro_free(patch->entry_ahead);
    *patch = (struct oro_drainage_patch){.next = patch->next};
}

void oro_drainage_patches_free(struct oro_drainage_patches *p)
{
    for (int i = 0; p && p->own && i < p->own_count; i++)
        oro_drainage_patch_clear(&p->own[i]);
    for (int i = 0; p && i < ORO_PATCH_SHAPES; i++)
        oro_free(p->shapes[i].dispatches);
    if (p)
        oro_free(p->own);
    oro_free(p);
}
