/* The certificate of a raster in tiles: rims are fetched from other ranks before, so that the tiles of this
 * one can be loaded with a ring of neighbours, in any order and as often as they are wanted. */
#include <string.h>

#include "base/memory.h"
#include "formats/spread/raster.h"
#include "graph/type/drainage_tiles.h"

enum { SIDES = 4 };

/* The cells around a tile: rows above and below it, as wide as its window, and columns beside it. */
struct ring {
    float *side[SIDES];
};

struct ground {
    const struct oro_spread_raster *raster;
    struct oro_height_range range;
    double largest;
    struct oro_drainage_tiles tiles;
    struct ring *rings; /* of all tiles; empty for those of others */
    float *cells;       /* of a tile */
};

/* ---- Rings ---- */

/* The cells of a side; without any where the raster ends there. */
static struct oro_window side_of(const struct ground *g, int tile, int side)
{
    const struct oro_tiled_grid *cut = &g->tiles.cut;
    struct oro_tiled_block block = oro_tiled_tile(cut, tile), window = oro_tiled_ringed(cut, &block);
    int right = block.x + block.width, below = block.y + block.height;
    switch (side) {
    case 0:
        return (struct oro_window){window.x, window.y, window.y < block.y ? window.width : 0, 1};
    case 1:
        return (struct oro_window){window.x, below, below < cut->height ? window.width : 0, 1};
    case 2:
        return (struct oro_window){window.x, block.y, window.x < block.x, block.height};
    default:
        return (struct oro_window){right, block.y, right < cut->width, block.height};
    }
}

/* By all ranks together; those that have no such tile ask for nothing. */
static bool fetch_side(struct ground *g, int tile, int side, struct oro_error *err)
{
    struct oro_device *device = g->raster->device;
    struct oro_window window = {0};
    float *cells = NULL;
    if (tile < g->tiles.count) {
        window = side_of(g, tile, side);
        if (window.width)
            cells = oro_alloc((size_t)window.width * (size_t)window.height, sizeof *cells);
        g->rings[tile].side[side] = cells;
    }
    bool ok = cells || !window.width || oro_fail(err, ORO_E_MEMORY, "no memory for the rims of tiles");
    return oro_ranks_agree(g->tiles.ranks, ok, err) &&
           device->tiles->fetch(device, g->raster->buffer, &window, cells, err);
}

static bool fetch_rings(struct ground *g, struct oro_error *err)
{
    bool ok = true;
    for (int round = 0, tile = 0; ok && round < g->tiles.most; round++, tile++) {
        while (tile < g->tiles.count && !oro_drainage_tiles_own(&g->tiles, tile))
            tile++;
        for (int side = 0; ok && side < SIDES; side++)
            ok = fetch_side(g, tile, side, err);
    }
    return ok;
}

static void free_rings(struct ground *g)
{
    for (int i = 0; g->rings && i < g->tiles.count; i++)
        for (int side = 0; side < SIDES; side++)
            oro_free(g->rings[i].side[side]);
    oro_free(g->rings);
}

/* ---- Windows of tiles ---- */

static int tile_of(const struct ground *g, const struct oro_tiled_block *window)
{
    const struct oro_tiled_grid *cut = &g->tiles.cut;
    int x = window->x + (window->x > 0), y = window->y + (window->y > 0); /* beyond the ring */
    return y / cut->tile_height * oro_tiled_count(cut->width, cut->tile_width) + x / cut->tile_width;
}

static void place(const struct oro_window *part, const float *cells, const struct oro_tiled_block *window,
                  float *out)
{
    for (int y = 0; y < part->height; y++)
        memcpy(out + (size_t)(part->y + y - window->y) * (size_t)window->width + (part->x - window->x),
               cells + (size_t)y * (size_t)part->width, (size_t)part->width * sizeof *out);
}

/* The heights that will be read back from the file. */
static bool load(void *user, const struct oro_tiled_block *window, float *out, struct oro_error *err)
{
    const struct ground *g = user;
    struct oro_device *device = g->raster->device;
    int tile = tile_of(g, window);
    size_t count = (size_t)window->width * (size_t)window->height;
    struct oro_window own = device->tiles->window(device, &g->raster->grid, (size_t)tile);
    if (!device->tiles->read(device, g->raster->buffer, &own, g->cells, err))
        return false;
    place(&own, g->cells, window, out);
    for (int side = 0; side < SIDES; side++) {
        struct oro_window part = side_of(g, tile, side);
        if (part.width)
            place(&part, g->rings[tile].side[side], window, out);
    }
    if (g->largest > 0) {
        oro_range_to_levels(g->range, g->largest, out, count, out);
        oro_range_to_metres(g->range, g->largest, out, count);
    }
    return true;
}

/* ---- The whole ---- */

static bool stops(void *user)
{
    struct oro_error ignored;
    return oro_spread_raster_stops(((const struct ground *)user)->raster, &ignored);
}

bool oro_spread_raster_certify(const struct oro_spread_raster *raster, const struct oro_height_range *range,
                               double largest, struct oro_certificate *certificate, struct oro_error *err)
{
    struct ground g = {.raster = raster, .range = *range, .largest = largest};
    oro_drainage_tiles_begin(&g.tiles, raster->device, &raster->grid, false);
    const struct oro_tiled_grid *cut = &g.tiles.cut;
    /* One tile at once: the device belongs to this thread. */
    struct oro_tiled_ground ground = {.grid = *cut,
                                      .z = {load, &g},
                                      .budget = g.tiles.budget, /* for tiles that are not worked on */
                                      .at_once = 1,
                                      .stop = stops,
                                      .user = &g,
                                      .ranks = &g.tiles.among};
    g.rings = oro_alloc((size_t)g.tiles.count, sizeof *g.rings);
    g.cells = oro_alloc((size_t)cut->tile_width * (size_t)cut->tile_height, sizeof *g.cells);
    bool ok = (g.rings && g.cells) || oro_fail(err, ORO_E_MEMORY, "no memory to measure a raster in tiles");
    ok = oro_ranks_agree(g.tiles.ranks, ok, err) && fetch_rings(&g, err) &&
         oro_tiled_certify(&ground, certificate, err);
    oro_free(g.cells);
    free_rings(&g);
    return oro_ranks_agree(g.tiles.ranks, ok, err);
}
