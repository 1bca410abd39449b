/* The certificate of a raster in tiles: rims are fetched from other ranks before, so that the tiles of this
 * one can be loaded with a ring of neighbours, in any order and as often as they are wanted. */
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "formats/spread/raster.h"
#include "terrain/drainage/tiled.h"

enum { SIDES = 4 };

/* The cells around a tile: rows above and below it, as wide as its window, and columns beside it. */
struct ring {
    float *side[SIDES];
};

struct ground {
    const struct oro_spread_raster *raster;
    struct oro_height_range range;
    double largest;
    struct oro_tiled_grid grid;
    struct oro_ranks *ranks;
    size_t tiles;
    struct ring *rings; /* of all tiles; empty for those of others */
    float *cells;       /* of a tile */
};

static bool is_own(const struct ground *g, size_t tile)
{
    const struct oro_device *device = g->raster->device;
    return device->tiles->rank(device, &g->raster->grid, tile) == g->ranks->rank;
}

/* ---- Rings ---- */

/* The cells of a side; without any where the raster ends there. */
static struct oro_window side_of(const struct ground *g, size_t tile, int side)
{
    struct oro_tiled_block block = oro_tiled_tile(&g->grid, (int)tile);
    struct oro_tiled_block window = oro_tiled_ringed(&g->grid, &block);
    int right = block.x + block.width, below = block.y + block.height;
    switch (side) {
    case 0:
        return (struct oro_window){window.x, window.y, window.y < block.y ? window.width : 0, 1};
    case 1:
        return (struct oro_window){window.x, below, below < g->grid.height ? window.width : 0, 1};
    case 2:
        return (struct oro_window){window.x, block.y, window.x < block.x, block.height};
    default:
        return (struct oro_window){right, block.y, right < g->grid.width, block.height};
    }
}

/* By all ranks together; those that have no such tile ask for nothing. */
static bool fetch_side(struct ground *g, size_t tile, int side, struct oro_error *err)
{
    struct oro_device *device = g->raster->device;
    struct oro_window window = {0};
    float *cells = NULL;
    if (tile < g->tiles)
        window = side_of(g, tile, side);
    if (window.width)
        cells = oro_alloc((size_t)window.width * (size_t)window.height, sizeof *cells);
    bool ok = cells || !window.width || oro_fail(err, ORO_E_MEMORY, "no memory for the rims of tiles");
    if (tile < g->tiles)
        g->rings[tile].side[side] = cells;
    return oro_ranks_agree(g->ranks, ok, err) &&
           device->tiles->fetch(device, g->raster->buffer, &window, cells, err);
}

static bool fetch_rings(struct ground *g, struct oro_error *err)
{
    uint64_t rounds = 0;
    bool ok = true;
    size_t next = 0;
    for (size_t i = 0; i < g->tiles; i++)
        rounds += is_own(g, i);
    ok = g->ranks->ops->greatest(g->ranks, &rounds, 1, err);
    for (; ok && rounds > 0; rounds--, next++) {
        while (next < g->tiles && !is_own(g, next))
            next++;
        for (int side = 0; ok && side < SIDES; side++)
            ok = fetch_side(g, next, side, err);
    }
    return ok;
}

static void free_rings(struct ground *g)
{
    for (size_t i = 0; g->rings && i < g->tiles; i++)
        for (int side = 0; side < SIDES; side++)
            oro_free(g->rings[i].side[side]);
    oro_free(g->rings);
}

/* ---- Windows of tiles ---- */

static size_t tile_of(const struct ground *g, const struct oro_tiled_block *window)
{
    int x = window->x + (window->x > 0), y = window->y + (window->y > 0); /* beyond the ring */
    int columns = oro_tiled_count(g->grid.width, g->grid.tile_width);
    return (size_t)(y / g->grid.tile_height) * (size_t)columns + (size_t)(x / g->grid.tile_width);
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
    size_t tile = tile_of(g, window), count = (size_t)window->width * (size_t)window->height;
    struct oro_window own = device->tiles->window(device, &g->raster->grid, tile);
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

/* ---- Messages of tiles, between ranks ---- */

static bool owns(void *user, int tile)
{
    return is_own(user, (size_t)tile);
}

static bool belongs_to(const struct ground *g, size_t tile, int rank)
{
    const struct oro_device *device = g->raster->device;
    return device->tiles->rank(device, &g->raster->grid, tile) == rank;
}

/* Of the messages of a rank's tiles: the bytes of each, before its number of bytes. */
static size_t packed_size(const struct ground *g, const struct oro_tiled_bytes *messages, int rank)
{
    size_t size = 0;
    for (size_t i = 0; i < g->tiles; i++)
        if (belongs_to(g, i, rank))
            size += sizeof(uint64_t) + messages[i].count;
    return size;
}

static unsigned char *pack(const struct ground *g, const struct oro_tiled_bytes *messages, int rank,
                           unsigned char *to)
{
    for (size_t i = 0; i < g->tiles; i++) {
        uint64_t count = messages[i].count;
        if (!belongs_to(g, i, rank))
            continue;
        memcpy(to, &count, sizeof count);
        if (count)
            memcpy(to + sizeof count, messages[i].data, count);
        to += sizeof count + count;
    }
    return to;
}

static bool unpack(const struct ground *g, const unsigned char *from, size_t size, int rank,
                   struct oro_tiled_bytes *messages, struct oro_error *err)
{
    for (size_t i = 0; i < g->tiles; i++) {
        uint64_t count = 0;
        if (!belongs_to(g, i, rank))
            continue;
        if (size >= sizeof count)
            memcpy(&count, from, sizeof count);
        if (size < sizeof count || size - sizeof count < count)
            return oro_fail(err, ORO_E_RANKS, "a message of rank %d is too short", rank);
        unsigned char *data = oro_alloc(count ? count : 1, 1);
        if (!data)
            return oro_fail(err, ORO_E_MEMORY, "no memory for messages of tiles");
        memcpy(data, from + sizeof count, count);
        messages[i] = (struct oro_tiled_bytes){data, count, count ? count : 1, false};
        from += sizeof count + count;
        size -= sizeof count + count;
    }
    return true;
}

static bool gather(void *user, bool ok, struct oro_tiled_bytes *messages, struct oro_error *err)
{
    const struct ground *g = user;
    struct oro_ranks *ranks = g->ranks;
    bool first = oro_ranks_first(ranks);
    if (!oro_ranks_agree(ranks, ok, err))
        return false;
    if (!messages)
        return true;
    size_t size = first ? 0 : packed_size(g, messages, ranks->rank);
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes);
    unsigned char *own = oro_alloc(size ? size : 1, 1), *at = NULL;
    void *all = NULL;
    ok = oro_ranks_agree(
        ranks, (own && sizes) || oro_fail(err, ORO_E_MEMORY, "no memory for messages of tiles"), err);
    if (ok && size)
        pack(g, messages, ranks->rank, own);
    ok = ok && ranks->ops->gather(ranks, own, size, &all, sizes, err);
    at = all;
    for (int i = 1; ok && first && i < ranks->count; i++) {
        ok = unpack(g, at, sizes[i], i, messages, err);
        at += sizes[i];
    }
    oro_free(all);
    oro_free(own);
    oro_free(sizes);
    return oro_ranks_agree(ranks, ok, err);
}

static bool scatter(void *user, bool ok, struct oro_tiled_bytes *answers, struct oro_error *err)
{
    const struct ground *g = user;
    struct oro_ranks *ranks = g->ranks;
    bool first = oro_ranks_first(ranks);
    size_t size = 0;
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes);
    for (int i = 1; ok && first && sizes && i < ranks->count; i++)
        size += sizes[i] = packed_size(g, answers, i);
    unsigned char *all = oro_alloc(size ? size : 1, 1), *at = all;
    void *own = NULL;
    if (ok && (!all || !sizes))
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for messages of tiles");
    ok = oro_ranks_agree(ranks, ok, err);
    for (int i = 1; ok && first && i < ranks->count; i++)
        at = pack(g, answers, i, at);
    ok = ok && ranks->ops->scatter(ranks, all, sizes, &own, &size, err);
    if (ok && !first)
        ok = unpack(g, own, size, ranks->rank, answers, err);
    oro_free(own);
    oro_free(all);
    oro_free(sizes);
    return oro_ranks_agree(ranks, ok, err);
}

static bool any(void *user, bool mine)
{
    return !oro_ranks_all(((const struct ground *)user)->ranks, !mine);
}

static bool stops(void *user)
{
    struct oro_error ignored;
    return oro_spread_raster_stops(((const struct ground *)user)->raster, &ignored);
}

/* ---- */

bool oro_spread_raster_certify(const struct oro_spread_raster *raster, const struct oro_height_range *range,
                               double largest, struct oro_certificate *certificate, struct oro_error *err)
{
    struct oro_device *device = raster->device;
    const struct oro_device_tiles *tiles = device->tiles;
    struct oro_window first = tiles->window(device, &raster->grid, 0);
    struct ground g = {
        .raster = raster,
        .range = *range,
        .largest = largest,
        .grid = {raster->grid.width, raster->grid.height, first.width, first.height, false},
        .ranks = tiles->ranks(device),
        .tiles = tiles->count(device, &raster->grid),
    };
    struct oro_tiled_ranks ranks = {owns, gather, scatter, any, oro_ranks_first(g.ranks), &g};
    /* One tile at once: the device belongs to this thread. */
    struct oro_tiled_ground ground = {.grid = g.grid,
                                      .z = {load, &g},
                                      .budget = oro_budget() / 8, /* for tiles that are not worked on */
                                      .at_once = 1,
                                      .stop = stops,
                                      .user = &g,
                                      .ranks = &ranks};
    g.rings = oro_alloc(g.tiles, sizeof *g.rings);
    g.cells = oro_alloc((size_t)first.width * (size_t)first.height, sizeof *g.cells);
    bool ok = (g.rings && g.cells) || oro_fail(err, ORO_E_MEMORY, "no memory to measure a raster in tiles");
    ok = oro_ranks_agree(g.ranks, ok, err) && fetch_rings(&g, err) &&
         oro_tiled_certify(&ground, certificate, err);
    oro_free(g.cells);
    free_rings(&g);
    return oro_ranks_agree(g.ranks, ok, err);
}
