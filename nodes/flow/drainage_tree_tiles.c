/* The drainage tree of ground in tiles: the same bits as of the whole. By kernels (drainage_patches.h), where
 * the device is faster and they do; else on the processor, by terrain/drainage/tiled.h. */
#include "base/memory.h"
#include "graph/type/ranks.h"
#include "nodes/flow/drainage_cells.h"
#include "nodes/flow/drainage_host.h"
#include "nodes/flow/drainage_patches.h"
#include "nodes/flow/drainage_tree_private.h"

/* The ground that was routed last. It and its neighbours read each other by address. */
struct oro_drainage_tree_tiles {
    struct oro_drainage_tiles tiles;
    struct oro_drainage_cells z, sea;
    struct oro_tiled_ground ground;
    struct oro_tiled_drainage *drainage;
};

/* A rank that has no memory tells the others in the next thing that they do together. */
static bool failed(struct oro_drainage_tree *tree, const struct oro_error *err)
{
    oro_drainage_tree_free_tiles(tree);
    return oro_eval_failed(tree->eval, err);
}

void oro_drainage_tree_free_tiles(struct oro_drainage_tree *tree)
{
    struct oro_drainage_tree_tiles *t = tree->tiles;
    if (tree->patches)
        tree->patches->valid = false;
    if (!t)
        return;
    oro_tiled_drainage_free(t->drainage);
    oro_drainage_cells_free(&t->z);
    oro_drainage_cells_free(&t->sea);
    oro_free(t);
    tree->tiles = NULL;
}

bool oro_drainage_tree_has_tiles(const struct oro_drainage_tree *tree)
{
    return tree->tiles || (tree->patches && tree->patches->valid);
}

bool oro_drainage_tree_is_tiled(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    return tree->on_processor && z && oro_eval_tiled(tree->eval, z) &&
           (!tree->outlets || oro_eval_tiled(tree->eval, tree->outlets));
}

/* ---- The ground ---- */

static bool load_everywhere(void *user, const struct oro_tiled_block *window, float *out,
                            struct oro_error *err)
{
    const float *value = user;
    size_t cells = (size_t)window->width * (size_t)window->height;
    (void)err;
    for (size_t i = 0; i < cells; i++)
        out[i] = *value;
    return true;
}

/* `input` by tiles: the link, or the literal everywhere. */
static bool source_of(struct oro_drainage_tree *tree, const char *input, float *literal,
                      struct oro_drainage_cells *cells, struct oro_tiled_source *source,
                      struct oro_error *err)
{
    struct oro_drainage_tree_tiles *t = tree->tiles;
    bool linked = oro_eval_linked(tree->eval, input);
    struct oro_buffer *raster = linked ? oro_eval_input(tree->eval, input) : NULL;
    *source = linked ? oro_drainage_cells_source(cells) : (struct oro_tiled_source){load_everywhere, literal};
    return !linked || oro_drainage_cells_fetch(cells, &t->tiles, raster, err);
}

static bool find_outlets(struct oro_drainage_tree *tree, struct oro_error *err)
{
    struct oro_drainage_tree_tiles *t = tree->tiles;
    if (tree->outlets) {
        t->ground.sea = oro_drainage_cells_source(&t->sea);
        return oro_drainage_cells_fetch(&t->sea, &t->tiles, tree->outlets, err);
    }
    if (!oro_eval_linked(tree->eval, "sea") && !(tree->sea > 0.5f))
        return true;
    return source_of(tree, "sea", &tree->sea, &t->sea, &t->ground.sea, err);
}

static bool route_on_processor(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    struct oro_error err = {0};
    struct oro_eval *e = tree->eval;
    struct oro_drainage_tree_tiles *t = tree->tiles = oro_alloc(1, sizeof *t);
    if (!t)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory to drain by tiles");
    oro_drainage_tiles_begin(&t->tiles, oro_eval_tiled(e, z), oro_eval_grid(e), tree->walls);
    t->ground = (struct oro_tiled_ground){.grid = t->tiles.cut,
                                          .z = oro_drainage_cells_source(&t->z),
                                          .budget = t->tiles.budget,
                                          .stop = oro_eval_stopped,
                                          .user = e,
                                          .ranks = t->tiles.ranks->count > 1 ? &t->tiles.among : NULL};
    if (!oro_drainage_cells_fetch(&t->z, &t->tiles, z, &err) || !find_outlets(tree, &err) ||
        !(t->drainage = oro_tiled_route(&t->ground, &err)))
        return failed(tree, &err);
    return true;
}

bool oro_drainage_tree_tiled_route(struct oro_drainage_tree *tree, struct oro_buffer *z)
{
    bool unfit = true;
    oro_drainage_tree_free_tiles(tree);
    tree->z = z;
    if (oro_eval_by_kernels(tree->eval) && !oro_drainage_patches_route(tree, z, &unfit))
        return false;
    return !unfit || route_on_processor(tree, z);
}

/* ---- Results on the processor ---- */

enum result { DRAINAGE, CARVED, FILLED, SLOPED };

static bool carve(struct oro_drainage_tree *tree, const struct oro_tiled_sink *out, struct oro_error *err)
{
    size_t gentle = 0;
    struct oro_breaching how = {.method = ORO_BREACH_SUBTREE, .fall = tree->fall, .gentle = &gentle};
    bool ok = oro_tiled_breach(tree->tiles->drainage, &how, out, err);
    tree->gentle = (double)gentle;
    return ok;
}

/* Each rank has counted those of its own tiles. */
static bool add_gentle(struct oro_drainage_tree *tree, struct oro_error *err)
{
    struct oro_ranks *ranks = tree->tiles->tiles.ranks;
    uint64_t gentle = (uint64_t)tree->gentle;
    bool ok = ranks->count == 1 || ranks->ops->sum(ranks, &gentle, 1, err);
    tree->gentle = (double)gentle;
    return ok;
}

static bool sum_up(struct oro_drainage_tree *tree, bool rain, const struct oro_tiled_sink *out,
                   struct oro_error *err)
{
    struct oro_drainage_cells cells = {0};
    struct oro_tiled_source fallen;
    double cell = oro_eval_grid(tree->eval)->cell;
    bool ok = !rain || source_of(tree, "rain", &tree->rain, &cells, &fallen, err);
    ok = ok && oro_tiled_area(tree->tiles->drainage, cell, rain ? &fallen : NULL, out, err);
    oro_drainage_cells_free(&cells);
    return ok;
}

static bool compute(struct oro_drainage_tree *tree, enum result what, bool rain,
                    const struct oro_tiled_sink *out, struct oro_error *err)
{
    if (what == DRAINAGE)
        return sum_up(tree, rain, out, err);
    if (what == CARVED)
        return carve(tree, out, err);
    return oro_tiled_fill(tree->tiles->drainage, what == SLOPED, out, err);
}

static bool put(struct oro_drainage_tree *tree, enum result what, bool rain, struct oro_buffer *to)
{
    struct oro_error err = {0};
    struct oro_drainage_cells cells = {0};
    if (!tree->tiles && !route_on_processor(tree, tree->z))
        return false;
    bool ok = oro_drainage_cells_begin(&cells, &tree->tiles->tiles, &err);
    struct oro_tiled_sink out = oro_drainage_cells_sink(&cells);
    ok = ok && oro_drainage_tiles_agree(&tree->tiles->tiles, compute(tree, what, rain, &out, &err), &err) &&
         (what != CARVED || add_gentle(tree, &err)) && oro_drainage_cells_write(&cells, to, &err);
    oro_drainage_cells_free(&cells);
    return ok || failed(tree, &err);
}

static bool store_direction(void *user, const struct oro_tiled_block *tile, const uint8_t *directions,
                            struct oro_error *err)
{
    const struct oro_tiled_sink *out = user;
    size_t cells = (size_t)tile->width * (size_t)tile->height;
    float *numbers = oro_alloc(cells, sizeof *numbers);
    if (!numbers)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    for (size_t i = 0; i < cells; i++)
        numbers[i] = (float)directions[i];
    bool ok = out->store(out->user, tile, numbers, err);
    oro_free(numbers);
    return ok;
}

/* Ranks without tiles have not been told how many there are. */
static bool tell_count(const struct oro_drainage_tiles *tiles, uint32_t *count, struct oro_error *err)
{
    uint64_t most = *count;
    bool ok = tiles->ranks->count == 1 || tiles->ranks->ops->greatest(tiles->ranks, &most, 1, err);
    *count = (uint32_t)most;
    return ok;
}

static bool number_lakes(struct oro_drainage_tree *tree, struct oro_drainage_tree_numbers *n,
                         struct oro_error *err)
{
    const struct oro_drainage_tiles *tiles = &tree->tiles->tiles;
    struct oro_drainage_cells lakes = {0}, spills = {0};
    bool ok = oro_drainage_cells_begin(&lakes, tiles, err) && oro_drainage_cells_begin(&spills, tiles, err);
    struct oro_tiled_sink to_lakes = oro_drainage_cells_sink(&lakes),
                          to_spills = oro_drainage_cells_sink(&spills);
    ok =
        ok &&
        oro_drainage_tiles_agree(
            tiles, oro_tiled_lakes(tree->tiles->drainage, &to_lakes, &to_spills, &n->lake_count, err), err) &&
        tell_count(tiles, &n->lake_count, err) && oro_drainage_cells_write(&lakes, n->lakes, err) &&
        oro_drainage_cells_write(&spills, n->spills, err);
    oro_drainage_cells_free(&lakes);
    oro_drainage_cells_free(&spills);
    return ok;
}

static bool put_directions(struct oro_drainage_tree *tree, const struct oro_drainage_tiles *tiles,
                           struct oro_drainage_cells *cells, struct oro_buffer *to, struct oro_error *err)
{
    bool ok = oro_drainage_cells_begin(cells, tiles, err);
    struct oro_tiled_sink out = oro_drainage_cells_sink(cells);
    struct oro_tiled_direction_sink directions = {store_direction, &out};
    ok = ok &&
         oro_drainage_tiles_agree(tiles, oro_tiled_directions(tree->tiles->drainage, &directions, err), err);
    return ok && oro_drainage_cells_write(cells, to, err);
}

static bool number_watersheds(struct oro_drainage_tree *tree, struct oro_drainage_tree_numbers *n,
                              struct oro_error *err)
{
    const struct oro_drainage_tiles *tiles = &tree->tiles->tiles;
    struct oro_drainage_cells cells = {0};
    bool ok = oro_drainage_cells_begin(&cells, tiles, err);
    struct oro_tiled_sink out = oro_drainage_cells_sink(&cells);
    struct oro_tiled_direction_sink directions = {store_direction, &out};
    struct oro_tiled_drainage *drainage = tree->tiles->drainage;
    ok = ok &&
         oro_drainage_tiles_agree(tiles, oro_tiled_watersheds(drainage, &out, &n->watershed_count, err),
                                  err) &&
         tell_count(tiles, &n->watershed_count, err) &&
         oro_drainage_cells_write(&cells, n->watersheds, err) &&
         oro_drainage_tiles_agree(tiles, oro_tiled_directions(drainage, &directions, err), err) &&
         oro_drainage_cells_write(&cells, n->receivers, err);
    oro_drainage_cells_free(&cells);
    return ok;
}

struct oro_buffer *oro_drainage_tree_directions(struct oro_drainage_tree *tree)
{
    struct oro_error err = {0};
    struct oro_drainage_cells cells = {0};
    struct oro_buffer *to = oro_eval_field(tree->eval);
    if (!tree->tiles && !route_on_processor(tree, tree->z))
        return NULL;
    bool ok = to && put_directions(tree, &tree->tiles->tiles, &cells, to, &err);
    oro_drainage_cells_free(&cells);
    if (!ok && to)
        failed(tree, &err);
    return ok ? to : NULL;
}

bool oro_drainage_tree_tiled_number(struct oro_drainage_tree *tree, struct oro_drainage_tree_numbers *numbers)
{
    struct oro_error err = {0};
    if (!tree->tiles && !route_on_processor(tree, tree->z))
        return false;
    return (number_watersheds(tree, numbers, &err) && number_lakes(tree, numbers, &err)) ||
           failed(tree, &err);
}

/* ---- Results ---- */

/* Tiles are read and written where nothing waits to be done to them. */
static bool settle(struct oro_drainage_tree *tree)
{
    struct oro_error err;
    struct oro_device *device = tree->patches->tiles.device;
    return device->ops->finish(device, &err) || oro_eval_failed(tree->eval, &err);
}

/* By kernels, unless that is unfit. */
static bool give(struct oro_drainage_tree *tree, enum result what, bool rain, struct oro_buffer *to)
{
    struct oro_drainage_patches *patches = tree->patches && tree->patches->valid ? tree->patches : NULL;
    bool unfit = true, ok = !patches || settle(tree);
    if (!ok)
        return false;
    if (patches && what == DRAINAGE)
        ok = oro_drainage_patches_area(patches, rain, to, &unfit);
    else if (patches && what == CARVED)
        ok = oro_drainage_patches_carve(patches, to, &unfit);
    else if (patches && what == FILLED)
        ok = oro_drainage_patches_fill(patches, to, &unfit);
    return ok && (!unfit || put(tree, what, rain, to));
}

bool oro_drainage_tree_tiled_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                                     struct oro_buffer *carved)
{
    return (!drainage || give(tree, DRAINAGE, rain, drainage)) &&
           (!carved || give(tree, CARVED, false, carved));
}

bool oro_drainage_tree_tiled_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled)
{
    return give(tree, sloped ? SLOPED : FILLED, false, filled);
}

bool oro_drainage_tree_tiled_carve(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                   struct oro_buffer *carved)
{
    bool ok = oro_drainage_tree_tiled_route(tree, z) && give(tree, CARVED, false, carved);
    oro_drainage_tree_free_tiles(tree);
    return ok;
}
