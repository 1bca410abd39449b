/* Patches: routing. What each tells of its basins, and how its ways are turned. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/ranks.h"
#include "nodes/flow/drainage_patches.h"
#include "terrain/drainage/steps.h"

#define NO_COMPONENT UINT32_MAX

/* ---- Heights around ---- */

/* A row or a column of the ring, by all ranks together; `patch` NULL: this one has no more. */
static bool fetch_side(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch, int side,
                       struct oro_error *err)
{
    struct oro_device *device = p->tiles.device;
    struct oro_window window = {0};
    float *to = NULL;
    if (patch) {
        const struct oro_tiled_block *block = &patch->tile.block, *ringed = &patch->tile.window;
        size_t row = (size_t)block->width + 2, lead = (size_t)(ringed->x == block->x);
        bool is_row = side < 2;
        window = is_row ? (struct oro_window){ringed->x, side ? block->y + block->height : block->y - 1,
                                              ringed->width, 1}
                        : (struct oro_window){side == 2 ? block->x - 1 : block->x + block->width, block->y, 1,
                                              block->height};
        to = patch->ring +
             (is_row ? (size_t)side * row + lead : 2 * row + (size_t)(side - 2) * (size_t)block->height);
        if (window.x < 0 || window.y < 0 || window.x + window.width > p->tiles.cut.width ||
            window.y + window.height > p->tiles.cut.height)
            window = (struct oro_window){0};
    }
    return device->tiles->fetch(device, p->whole->z, &window, to, err);
}

static bool fetch_rings(struct oro_drainage_patches *p)
{
    struct oro_error err;
    for (int i = 0; i < p->tiles.most; i++)
        for (int side = 0; side < 4; side++)
            if (!fetch_side(p, i < p->own_count ? &p->own[i] : NULL, side, &err))
                return oro_eval_failed(p->tree.eval, &err);
    return true;
}

/* ---- The graph ---- */

/* Components are named by slots, and numbered in the order in which they come along the rim. */
static uint32_t vertex_of(const uint32_t *of_slot, uint32_t component)
{
    return component == NO_COMPONENT ? ORO_TILED_OUTSIDE : of_slot[component];
}

static void number_vertices(struct oro_drainage_patch *patch, const uint32_t *shared,
                            const uint32_t *components, uint32_t count, uint32_t *of_slot)
{
    struct oro_tiled_graph *graph = &patch->graph;
    graph->count = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t component = components[i], rim = shared[i];
        if (component != NO_COMPONENT && !of_slot[component])
            of_slot[component] = graph->count++;
        graph->vertex[rim] = vertex_of(of_slot, component);
        if (graph->exit[rim] < ORO_TILED_NO_EXIT)
            graph->exit_cell[graph->vertex[rim]] = rim;
    }
}

/* A saddle of the device's list. */
static struct oro_tiled_saddle saddle_of(const uint32_t *listed, const uint32_t *of_slot)
{
    return (struct oro_tiled_saddle){listed[0], listed[1], vertex_of(of_slot, listed[2]),
                                     vertex_of(of_slot, listed[3])};
}

/* Kernels get it as a float, which has to be exact. */
static uint32_t round_capacity(size_t saddles)
{
    return (uint32_t)(saddles / 1024 + 1) * 1024;
}

/* The device's list of saddles; the caller frees it. NULL: failed. Behind the count come four words each. */
static uint32_t *list_saddles(struct oro_drainage_patches *p)
{
    struct oro_drainage_tree *tree = &p->tree;
    uint32_t count = 0, zero = 0;
    for (bool fits = false; !fits;) {
        if (!oro_eval_upload(tree->eval, p->list, &zero, sizeof zero) ||
            !oro_drainage_tree_list_part(tree, p->list, p->list_capacity) ||
            !oro_eval_download(tree->eval, p->list, &count, sizeof count))
            return NULL;
        fits = count <= p->list_capacity;
        if (!fits) {
            p->list_capacity = round_capacity(count);
            p->list = oro_eval_buffer(tree->eval, 4 * (size_t)p->list_capacity + 1);
        }
    }
    uint32_t *list = oro_drainage_patches_alloc(p, 4 * (size_t)count + 1, sizeof *list);
    if (list && oro_eval_download(tree->eval, p->list, list, (4 * (size_t)count + 1) * sizeof *list))
        return list;
    oro_free(list);
    return NULL;
}

static bool make_edges(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                       const uint32_t *of_slot)
{
    uint32_t *list = p->edges.pits ? list_saddles(p) : NULL;
    size_t count = list ? list[0] : 0;
    struct oro_error err;
    bool ok = list || !p->edges.pits;
    struct oro_tiled_saddle *saddles = ok ? oro_drainage_patches_alloc(p, count, sizeof *saddles) : NULL;
    for (size_t i = 0; saddles && i < count; i++)
        saddles[i] = saddle_of(list + 1 + 4 * i, of_slot);
    ok = saddles && (oro_tiled_tile_span(&patch->tile, saddles, count, &patch->graph, &err) ||
                     oro_eval_failed(p->tree.eval, &err));
    oro_free(saddles);
    oro_free(list);
    return ok;
}

/* The rim cells that are shared. */
static uint32_t list_shared(const struct oro_drainage_patch *patch, uint32_t *shared)
{
    const struct oro_tiled_tile *tile = &patch->tile;
    uint32_t count = 0;
    for (uint32_t i = 0; i < patch->graph.rim; i++)
        if (oro_tiled_is_shared(&tile->grid, &tile->block, oro_tiled_rim_cell(&tile->block, i)))
            shared[count++] = i;
    return count;
}

static bool read_levels(struct oro_drainage_patches *p, struct oro_drainage_patch *patch, uint32_t *all)
{
    for (uint32_t i = 0; i < patch->graph.rim; i++)
        all[i] = i;
    uint32_t *cells = oro_drainage_patch_cells(p, patch, all, patch->graph.rim);
    uint32_t *heights = cells ? oro_drainage_patch_read(p, p->z, cells, patch->graph.rim) : NULL;
    for (uint32_t i = 0; heights && i < patch->graph.rim; i++) {
        float height;
        memcpy(&height, &heights[i], sizeof height);
        patch->graph.level[i] = oro_level_of(height);
    }
    oro_free(cells);
    oro_free(heights);
    return heights;
}

static bool read_exits(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                       const uint32_t *shared, uint32_t count)
{
    size_t words = oro_drainage_patch_edges(patch);
    uint32_t *exits = oro_drainage_patches_alloc(p, words, sizeof *exits);
    bool ok = exits && oro_eval_download(p->tree.eval, p->edges.exits, exits, words * sizeof *exits);
    for (uint32_t i = 0; ok && i < count; i++)
        patch->graph.exit[shared[i]] = (uint8_t)exits[oro_drainage_patch_edge(patch, shared[i])];
    oro_free(exits);
    return ok;
}

/* Components of the shared rim cells; without pits all is the outside. */
static uint32_t *read_components(struct oro_drainage_patches *p, const struct oro_drainage_patch *patch,
                                 const uint32_t *shared, uint32_t count)
{
    if (!p->edges.pits) {
        uint32_t *none = oro_drainage_patches_alloc(p, count, sizeof *none);
        if (none)
            memset(none, 0xff, count * sizeof *none);
        return none;
    }
    uint32_t *slots = oro_drainage_patch_slots(p, patch, shared, count);
    uint32_t *components =
        slots ? oro_drainage_patch_read(p, oro_drainage_tree_components(&p->tree), slots, count) : NULL;
    oro_free(slots);
    return components;
}

static size_t slot_count(const struct oro_tiled_block *block)
{
    return (size_t)ORO_DRAINAGE_TREE_RIM * (size_t)oro_drainage_tree_tiles(block->width) *
           (size_t)oro_drainage_tree_tiles(block->height);
}

static bool make_graph(struct oro_drainage_patches *p, struct oro_drainage_patch *patch)
{
    uint32_t *shared = oro_drainage_patches_alloc(p, patch->graph.rim, sizeof *shared);
    uint32_t *of_slot = oro_drainage_patches_alloc(p, slot_count(&patch->tile.block), sizeof *of_slot);
    bool ok = shared && of_slot && read_levels(p, patch, shared);
    uint32_t count = ok ? list_shared(patch, shared) : 0;
    ok = ok && read_exits(p, patch, shared, count);
    uint32_t *components = ok ? read_components(p, patch, shared, count) : NULL;
    if (components)
        number_vertices(patch, shared, components, count, of_slot);
    ok = components && make_edges(p, patch, of_slot);
    oro_free(components);
    oro_free(of_slot);
    oro_free(shared);
    return ok;
}

/* Tells the graph of a patch. What is wrong with the ground the processor says better. */
static bool tell(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                 struct oro_tiled_bytes *message)
{
    struct oro_drainage_tree *tree = &p->tree;
    if (!oro_drainage_patch_take(p, patch) || !oro_drainage_patch_join(p, patch))
        return false;
    if (p->edges.bad || p->edges.flats) { /* flats go on in other tiles: the host knows how */
        p->unfit = true;
        return true;
    }
    if (!make_graph(p, patch))
        return false;
    oro_tiled_graph_write(&patch->graph, message);
    if (message->failed)
        return oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory to drain a tile");
    patch->routed = patch->next;
    return !patch->routed || oro_drainage_tree_turn_part(tree);
}

/* ---- Turning ways ---- */

/* Vertices that are left have no exits any more, other than those that they are left by. */
static void move_exit(struct oro_drainage_patch *patch, uint32_t vertex)
{
    uint32_t rim = patch->graph.exit_cell[vertex];
    if (rim != ORO_TILED_NONE)
        patch->graph.exit[rim] = ORO_TILED_NO_EXIT;
}

static void add_way(struct oro_drainage_patch *patch, uint32_t cell, uint32_t to)
{
    patch->ways[2 * patch->way_count] = cell;
    patch->ways[2 * patch->way_count + 1] = to;
    patch->way_count++;
}

static void turn(struct oro_drainage_patch *patch, const struct oro_tiled_turns *turns)
{
    const struct oro_tiled_block *block = &patch->tile.block;
    for (size_t i = 0; i < turns->edge_count; i++) {
        const struct oro_tiled_edge *edge = &patch->graph.edges[turns->edges[i] / 2];
        uint64_t cell = edge->number >> 2, width = (uint64_t)block->width;
        struct oro_tiled_cell lower = {block->x + (int)(cell % width), block->y + (int)(cell / width)};
        struct oro_tiled_cell upper = oro_tiled_neighbour(lower, 4 + (int)(edge->number & 3));
        bool from_upper = turns->edges[i] & 1;
        move_exit(patch, from_upper ? edge->upper : edge->lower);
        add_way(patch, oro_drainage_patch_cell(block, from_upper ? upper : lower),
                oro_drainage_patch_cell(block, from_upper ? lower : upper));
    }
    for (size_t i = 0; i < turns->leaving_count; i++)
        move_exit(patch, patch->graph.vertex[turns->leaving[i] / 8]);
    for (size_t i = 0; i < turns->leaving_count; i++) {
        uint32_t rim = (uint32_t)(turns->leaving[i] / 8),
                 cell = oro_drainage_patch_cell(block, oro_tiled_rim_cell(block, rim));
        patch->graph.exit[rim] = turns->leaving[i] & 7;
        add_way(patch, cell, cell);
    }
}

static bool list_rim(struct oro_drainage_patches *p, struct oro_drainage_patch *patch, const uint8_t *entry)
{
    uint32_t rim = patch->graph.rim;
    patch->exits = oro_drainage_patches_alloc(p, rim, sizeof *patch->exits);
    patch->entries = oro_drainage_patches_alloc(p, rim, sizeof *patch->entries);
    if (!patch->exits || !patch->entries)
        return false;
    for (uint32_t i = 0; i < rim; i++) {
        if (patch->graph.exit[i] < ORO_TILED_NO_EXIT)
            patch->exits[patch->exit_count++] = i;
        if (entry[i])
            patch->entries[patch->entry_count++] = i;
    }
    return true;
}

/* Where ways from the entries end. */
static bool find_ends(struct oro_drainage_patches *p, struct oro_drainage_patch *patch)
{
    const struct oro_tiled_block *block = &patch->tile.block;
    uint32_t count = patch->entry_count;
    if (!oro_drainage_tree_cross(&p->tree, TREE_CELLS_OF_PATH))
        return false;
    uint32_t *slots = oro_drainage_patch_slots(p, patch, patch->entries, count);
    uint32_t *exit_at = oro_drainage_patches_alloc(p, patch->graph.rim, sizeof *exit_at);
    patch->entry_exit = oro_drainage_patches_alloc(p, count, sizeof *patch->entry_exit);
    if (slots && exit_at && patch->entry_exit) {
        patch->entry_ahead = oro_drainage_patch_read(p, p->edges.parts[0], slots, count);
        patch->entry_end = oro_drainage_patch_read(p, p->edges.parts[1], slots, count);
    }
    bool ok = patch->entry_ahead && patch->entry_end;
    for (uint32_t i = 0; ok && i < patch->exit_count; i++)
        exit_at[patch->exits[i]] = i + 1;
    for (uint32_t i = 0; ok && i < count; i++) {
        uint32_t width = (uint32_t)block->width, cell = patch->entry_end[i], x = cell % width,
                 y = cell / width;
        bool on_rim = x == 0 || y == 0 || x == width - 1 || y == (uint32_t)block->height - 1;
        struct oro_tiled_cell at = {block->x + (int)x, block->y + (int)y};
        patch->entry_exit[i] = (on_rim ? exit_at[oro_tiled_rim_index(block, at)] : 0) - 1;
    }
    oro_free(slots);
    oro_free(exit_at);
    return ok;
}

static bool follow_answer(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                          const struct oro_tiled_bytes *answer)
{
    struct oro_tiled_turns turns;
    struct oro_error err;
    bool ok = oro_tiled_turns_read(&turns, &patch->tile.block, patch->tile.edge_count, oro_tiled_view(answer),
                                   &err) ||
              oro_eval_failed(p->tree.eval, &err);
    patch->ways =
        ok ? oro_drainage_patches_alloc(p, 2 * (turns.edge_count + turns.leaving_count), sizeof *patch->ways)
           : NULL;
    if (patch->ways)
        turn(patch, &turns);
    ok = patch->ways && list_rim(p, patch, turns.entry);
    oro_tiled_turns_free(&turns);
    return ok;
}

static bool turn_patch(struct oro_drainage_patches *p, struct oro_drainage_patch *patch,
                       const struct oro_tiled_bytes *answer)
{
    bool routed = patch->routed;
    return follow_answer(p, patch, answer) && oro_drainage_patch_take(p, patch) &&
           (!routed || oro_drainage_patch_turn(p, patch)) && find_ends(p, patch);
}

/* ---- Beginning ---- */

/* `next` stays from one routing to the next. */
static bool begin_patch(struct oro_drainage_patches *p, struct oro_drainage_patch *patch, int tile,
                        bool keeps)
{
    const struct oro_tiled_grid *cut = &p->tiles.cut;
    struct oro_tiled_block block = oro_tiled_tile(cut, tile);
    struct oro_error err;
    oro_drainage_patch_clear(patch);
    patch->number = tile;
    patch->tile =
        (struct oro_tiled_tile){.grid = *cut, .block = block, .window = oro_tiled_ringed(cut, &block)};
    size_t around = oro_drainage_patch_edges(patch) + 4;
    patch->ring = oro_drainage_patches_alloc(p, around, sizeof *patch->ring);
    for (size_t i = 0; patch->ring && i < around; i++)
        patch->ring[i] = INFINITY;
    if (keeps && !patch->next)
        patch->next = oro_eval_buffer(p->tree.eval, (size_t)block.width * (size_t)block.height);
    return patch->ring && (patch->next || !keeps) &&
           (oro_tiled_graph_begin(&patch->graph, &block, false, &err) || oro_eval_failed(p->tree.eval, &err));
}

/* Bytes a cell: of a patch at hand; of all of the rank's, ground, result, receivers and as much again. */
enum { AT_WORK = 64, KEPT = 16 };

static double tile_cells(const struct oro_drainage_patches *p)
{
    return (double)p->tiles.cut.tile_width * p->tiles.cut.tile_height;
}

/* Receivers of all tiles stay on the device where there is room for them. */
static bool keeps_receivers(const struct oro_drainage_patches *p)
{
    double budget = (double)p->tiles.device->tiles->budget(p->tiles.device);
    return (KEPT * (double)p->own_count + AT_WORK) * tile_cells(p) < budget;
}

/* The same on all ranks. What is wrong with the grid the processor says. */
static bool has_room(const struct oro_drainage_patches *p)
{
    struct oro_error err;
    return oro_tiled_grid_check(&p->ground.grid, &err) &&
           AT_WORK * tile_cells(p) <= (double)p->tiles.device->tiles->budget(p->tiles.device);
}

static bool begin_own(struct oro_drainage_patches *p)
{
    bool keeps = keeps_receivers(p), ok = p->own;
    p->turned = p->unfit = false;
    for (int i = 0, at = 0; ok && i < p->tiles.count; i++)
        if (oro_drainage_tiles_own(&p->tiles, i))
            ok = begin_patch(p, &p->own[at++], i, keeps);
    return ok;
}

static bool begin_edges(struct oro_drainage_patches *p)
{
    const struct oro_tiled_grid *cut = &p->tiles.cut;
    struct oro_eval *e = p->tree.eval;
    size_t along = 2 * ((size_t)cut->tile_width + (size_t)cut->tile_height), around = along + 4;
    struct oro_buffer **const buffers[] = {
        &p->edges.ring,        &p->edges.exits,      &p->edges.beyond_way,
        &p->edges.beyond_base, &p->edges.beyond_low, &p->edges.beyond_ground,
        &p->edges.places,      &p->places,           &p->values};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (!(*buffers[i] = oro_eval_buffer(e, around)))
            return false;
    return true;
}

static void begin_tiles(struct oro_drainage_patches *p, struct oro_drainage_tree *whole, struct oro_buffer *z)
{
    struct oro_eval *e = whole->eval;
    const struct oro_grid *grid = oro_eval_grid(e);
    p->whole = whole;
    oro_drainage_tiles_begin(&p->tiles, oro_eval_tiled(e, z), grid, whole->walls);
    const struct oro_tiled_grid *cut = &p->tiles.cut;
    p->ground = (struct oro_tiled_ground){.grid = *cut,
                                          .stop = oro_eval_stopped,
                                          .user = e,
                                          .ranks = p->tiles.ranks->count > 1 ? &p->tiles.among : NULL};
}

static bool begin(struct oro_drainage_patches *p)
{
    struct oro_drainage_tree *tree = &p->tree, *whole = p->whole;
    struct oro_eval *e = whole->eval;
    const struct oro_tiled_grid *cut = &p->tiles.cut;
    *tree = (struct oro_drainage_tree){.eval = e,
                                       .grid = *oro_eval_grid(e),
                                       .sea = whole->sea,
                                       .rain = whole->rain,
                                       .walls = whole->walls,
                                       .edges = &p->edges,
                                       .flags_used = ORO_DRAINAGE_TREE_FLAGS,
                                       .wary = true};
    tree->grid.width = cut->tile_width;
    tree->grid.height = cut->tile_height;
    size_t cells = oro_grid_cells(&tree->grid);
    p->list_capacity = round_capacity(cells / 16);
    p->list = oro_eval_buffer(e, 4 * (size_t)p->list_capacity + 1);
    p->out = oro_eval_buffer(e, cells);
    if (whole->outlets)
        tree->outlets = oro_eval_buffer(e, cells);
    if (!p->out || !oro_drainage_tree_begin_kernels(tree))
        return false;
    p->next = tree->next;
    p->shapes[0].width = cut->tile_width;
    p->shapes[0].height = cut->tile_height;
    p->shapes[0].dispatches = tree->dispatches;
    if (!begin_edges(p))
        return false;
    oro_drainage_tree_scratch(tree, ORO_DRAINAGE_TREE_SCRATCH);
    for (int i = 0; i < p->tiles.count; i++)
        p->own_count += oro_drainage_tiles_own(&p->tiles, i);
    p->own = oro_drainage_patches_alloc(p, (size_t)p->own_count, sizeof *p->own);
    return p->own;
}

/* ---- Together ---- */

static bool tell_all(struct oro_drainage_patches *p, struct oro_tiled_bytes *messages)
{
    bool ok = fetch_rings(p);
    for (int i = 0; ok && i < p->own_count && !p->unfit; i++)
        ok = tell(p, &p->own[i], &messages[p->own[i].number]);
    return ok;
}

static bool route(struct oro_drainage_patches *p, bool *unfit)
{
    struct oro_eval *e = p->tree.eval;
    struct oro_error err = {0};
    size_t count = (size_t)p->tiles.count;
    struct oro_tiled_bytes *messages = oro_drainage_patches_alloc(p, count, sizeof *messages);
    struct oro_tiled_bytes *answers = oro_drainage_patches_alloc(p, count, sizeof *answers);
    bool ok = oro_drainage_patches_agree(p, messages && answers && begin_own(p), unfit);
    ok = ok && oro_drainage_patches_agree(p, tell_all(p, messages), unfit);
    if (ok && !*unfit)
        ok = oro_tiled_turns_for(&p->ground, true, messages, answers, &err) || oro_eval_failed(e, &err);
    p->turned = true;
    for (int i = 0; ok && !*unfit && i < p->own_count; i++)
        ok = turn_patch(p, &p->own[i], &answers[p->own[i].number]);
    oro_tiled_free_all(messages, p->tiles.count);
    oro_tiled_free_all(answers, p->tiles.count);
    return oro_drainage_patches_agree(p, ok, unfit);
}

bool oro_drainage_patches_route(struct oro_drainage_tree *tree, struct oro_buffer *z, bool *unfit)
{
    struct oro_drainage_patches *p = tree->patches;
    struct oro_device *device = oro_eval_tiled(tree->eval, z);
    struct oro_error err;
    *unfit = false;
    tree->z = z;
    if (!device->ops->finish(device, &err))
        return oro_eval_failed(tree->eval, &err);
    if (!p) {
        p = tree->patches = oro_alloc(1, sizeof *p);
        if (!p)
            return oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory to drain by tiles");
        begin_tiles(p, tree, z);
        if (has_room(p))
            begin(p); /* a failure shows in the vote */
    }
    if (!has_room(p)) {
        *unfit = true;
        return true;
    }
    p->valid = route(p, unfit) && !*unfit;
    return p->valid || *unfit;
}
