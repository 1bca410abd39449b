/*
 * Flats that go on from tile to tile. Field by field (flats.h), tiles tell the values of their rims, and are
 * told those of their rings, until no ring changes: values only become lower, and the end is that of the
 * whole. It takes as many rounds as the longest of the shortest ways crosses tiles. Tiles without such flats
 * tell nothing: their rims are ground to others.
 */
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

struct rings {
    struct oro_tiled_drainage *drainage;
    enum oro_flat_field field;
    struct oro_tiled_bytes *messages, *answers; /* of all tiles */
    bool *news;             /* of own tiles: the ring has changed, the rim has to be told */
    uint32_t **rim, **told; /* at the root, of tiles that have told: of the rim; of the ring as told */
};

static struct oro_tiled_block block_of(const struct rings *r, int tile)
{
    return oro_tiled_tile(&r->drainage->ground.grid, tile);
}

static struct oro_tiled_block window_of(const struct rings *r, int tile)
{
    struct oro_tiled_block block = block_of(r, tile);
    return oro_tiled_ringed(&r->drainage->ground.grid, &block);
}

static bool no_memory(const struct rings *r, struct oro_error *err)
{
    const struct oro_tiled_grid *grid = &r->drainage->ground.grid;
    return oro_fail(err, ORO_E_MEMORY, "no memory to drain %d x %d cells by tiles", grid->width,
                    grid->height);
}

static bool is_root(const struct rings *r)
{
    const struct oro_tiled_ranks *ranks = r->drainage->ground.ranks;
    return !ranks || ranks->is_root;
}

/* ---- Rings ---- */

bool oro_tiled_ring_begin(struct oro_tiled_drainage *d, int tile, struct oro_error *err)
{
    struct oro_tiled_block block = oro_tiled_tile(&d->ground.grid, tile);
    struct oro_tiled_block window = oro_tiled_ringed(&d->ground.grid, &block);
    uint32_t count = oro_tiled_rim_count(&window);
    d->ring[tile] = oro_alloc(count, sizeof *d->ring[tile]);
    if (!d->ring[tile])
        return oro_tiled_no_memory(&block, err);
    memset(d->ring[tile], 0xff, count * sizeof *d->ring[tile]); /* ORO_FLAT_NONE */
    return true;
}

static bool any(const struct oro_tiled_drainage *d, bool mine)
{
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    return ranks ? ranks->any(ranks->user, mine) : mine;
}

bool oro_tiled_has_rings(const struct oro_tiled_drainage *d)
{
    bool mine = false;
    for (int i = 0; i < d->tiles; i++)
        mine |= d->ring[i] != NULL;
    return any(d, mine);
}

/* ---- Values as messages: one more each, so that none is 0 ---- */

static void put_values(struct oro_tiled_bytes *bytes, enum oro_tiled_message what,
                       const struct oro_tiled_block *block, const uint32_t *values, uint32_t count)
{
    oro_tiled_put_head(bytes, what, block);
    for (uint32_t i = 0; i < count; i++)
        oro_tiled_put(bytes, (uint32_t)(values[i] + 1));
}

/* The caller frees them; NULL: failed. */
static uint32_t *take_values(const struct oro_tiled_bytes *bytes, enum oro_tiled_message what,
                             const struct oro_tiled_block *block, uint32_t count, struct oro_error *err)
{
    struct oro_tiled_reader reader = oro_tiled_read(oro_tiled_view(bytes));
    uint32_t *values = oro_alloc(count, sizeof *values);
    if (!values) {
        oro_tiled_no_memory(block, err);
        return NULL;
    }
    oro_tiled_take_head(&reader, what, block);
    for (uint32_t i = 0; i < count; i++)
        values[i] = (uint32_t)oro_tiled_take(&reader, UINT32_MAX) - 1;
    if (oro_tiled_read_all(&reader, "flats", block, err))
        return values;
    oro_free(values);
    return NULL;
}

/* Values that rise could chase each other round for ever; true ones never do. */
static bool fail_rising(const struct oro_tiled_block *block, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE, "the flats of the tile at %d, %d do not fit those around", block->x,
                    block->y);
}

/* ---- A tile ---- */

static bool find_rim(const struct rings *r, int tile, struct oro_flat_values *rim, struct oro_error *err)
{
    const struct oro_tiled_drainage *d = r->drainage;
    struct oro_tiled_block block = block_of(r, tile), window = window_of(r, tile);
    float *z = oro_tiled_load(&d->ground.z, &window, err), *sea = NULL;
    bool ok = z && (!d->ground.sea.load || (sea = oro_tiled_load(&d->ground.sea, &window, err)));
    struct oro_tiled_window rasters = {z, sea, d->ring[tile]};
    ok = ok && oro_tiled_tile_flats(&d->ground.grid, &block, &rasters, r->field, rim, err);
    oro_free(z);
    oro_free(sea);
    return ok;
}

static bool tell_rim(struct oro_tiled_drainage *d, int tile, void *user, struct oro_error *err)
{
    struct rings *r = user;
    if (!d->ring[tile] || !r->news[tile])
        return true;
    struct oro_tiled_block block = block_of(r, tile);
    uint32_t count = oro_tiled_rim_count(&block);
    struct oro_flat_values *rim = oro_alloc(count, sizeof *rim);
    uint32_t *values = oro_alloc(count, sizeof *values);
    bool ok = rim && values ? find_rim(r, tile, rim, err) : oro_tiled_no_memory(&block, err);
    for (uint32_t i = 0; ok && i < count; i++)
        values[i] = rim[i].of[r->field];
    if (ok)
        put_values(&r->messages[tile], ORO_TILED_RIM, &block, values, count);
    ok = ok && (!r->messages[tile].failed || oro_tiled_no_memory(&block, err));
    oro_free(values);
    oro_free(rim);
    return ok;
}

static bool hear_ring(struct rings *r, int tile, struct oro_error *err)
{
    struct oro_tiled_bytes *answer = &r->answers[tile];
    struct oro_flat_values *ring = r->drainage->ring[tile];
    struct oro_tiled_block window = window_of(r, tile);
    const struct oro_tiled_ranks *ranks = r->drainage->ground.ranks;
    r->news[tile] = answer->count > 0 && (!ranks || ranks->owns(ranks->user, tile));
    if (!r->news[tile])
        return true;
    if (!ring)
        return oro_fail(err, ORO_E_EVALUATE, "the tile at %d, %d is told of flats that it does not have",
                        window.x, window.y);
    uint32_t count = oro_tiled_rim_count(&window);
    uint32_t *values = take_values(answer, ORO_TILED_RING, &window, count, err);
    bool ok = values != NULL;
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = values[i] <= ring[i].of[r->field] || fail_rising(&window, err);
        ring[i].of[r->field] = values[i];
    }
    oro_free(values);
    return ok;
}

/* ---- The root ---- */

static bool hear_rim(struct rings *r, int tile, struct oro_error *err)
{
    struct oro_tiled_block block = block_of(r, tile);
    uint32_t count = oro_tiled_rim_count(&block), *before = r->rim[tile];
    if (!r->messages[tile].count)
        return true;
    uint32_t *values = take_values(&r->messages[tile], ORO_TILED_RIM, &block, count, err);
    bool ok = values != NULL;
    for (uint32_t i = 0; ok && before && i < count; i++)
        ok = values[i] <= before[i] || fail_rising(&block, err);
    r->rim[tile] = values;
    oro_free(before);
    return ok;
}

/* What a cell of the terrain has, as far as its tile has told. */
static uint32_t value_at(const struct rings *r, struct oro_tiled_cell cell)
{
    const struct oro_tiled_grid *grid = &r->drainage->ground.grid;
    int tile = cell.y / grid->tile_height * oro_tiled_count(grid->width, grid->tile_width) +
               cell.x / grid->tile_width;
    struct oro_tiled_block block = block_of(r, tile);
    return r->rim[tile] ? r->rim[tile][oro_tiled_rim_index(&block, cell)] : oro_flat_ground().of[r->field];
}

/* Cells of the window's rim that belong to the tile itself stay ORO_FLAT_NONE. */
static void gather_ring(const struct rings *r, int tile, uint32_t *values)
{
    struct oro_tiled_block block = block_of(r, tile), window = window_of(r, tile);
    uint32_t count = oro_tiled_rim_count(&window);
    for (uint32_t i = 0; i < count; i++) {
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&window, i);
        values[i] = oro_tiled_has(&block, cell.x, cell.y) ? ORO_FLAT_NONE : value_at(r, cell);
    }
}

/* Answers a tile whose ring is other than it was told. */
static bool answer_tile(struct rings *r, int tile, struct oro_error *err)
{
    struct oro_tiled_block window = window_of(r, tile);
    uint32_t count = oro_tiled_rim_count(&window);
    if (!r->rim[tile])
        return true;
    uint32_t *values = oro_alloc(count, sizeof *values);
    if (!values)
        return no_memory(r, err);
    gather_ring(r, tile, values);
    if (r->told[tile] && memcmp(values, r->told[tile], count * sizeof *values) == 0) {
        oro_free(values);
        return true;
    }
    oro_free(r->told[tile]);
    r->told[tile] = values;
    put_values(&r->answers[tile], ORO_TILED_RING, &window, values, count);
    return !r->answers[tile].failed || no_memory(r, err);
}

static bool answer_all(struct rings *r, struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < r->drainage->tiles; i++)
        ok = hear_rim(r, i, err);
    for (int i = 0; ok && i < r->drainage->tiles; i++)
        ok = answer_tile(r, i, err);
    return ok;
}

/* ---- Rounds ---- */

static void forget_messages(struct rings *r)
{
    for (int i = 0; i < r->drainage->tiles; i++) {
        oro_tiled_bytes_free(&r->messages[i]);
        oro_tiled_bytes_free(&r->answers[i]);
    }
}

/* `*again`: some ring has changed, in any process. */
static bool round_of(struct rings *r, bool *again, struct oro_error *err)
{
    struct oro_tiled_drainage *d = r->drainage;
    const struct oro_tiled_ranks *ranks = d->ground.ranks;
    bool ok = oro_tiled_for_tiles(d, tell_rim, r, err), mine = false;
    if (!oro_tiled_agree(&d->ground, ok, err) || !ok ||
        (ranks && !ranks->gather(ranks->user, true, r->messages, err)))
        return false;
    if (is_root(r))
        ok = answer_all(r, err);
    if (ranks ? !ranks->scatter(ranks->user, ok, r->answers, err) : !ok)
        return false;
    for (int i = 0; ok && i < d->tiles; i++) {
        ok = hear_ring(r, i, err);
        mine |= r->news[i];
    }
    forget_messages(r);
    if (!oro_tiled_agree(&d->ground, ok, err) || !ok)
        return false;
    *again = any(d, mine);
    return true;
}

static void free_values(uint32_t **values, int count)
{
    for (int i = 0; values && i < count; i++)
        oro_free(values[i]);
    oro_free(values);
}

static bool find_ring(struct rings *r, struct oro_error *err)
{
    size_t tiles = (size_t)r->drainage->tiles;
    r->rim = oro_alloc(tiles, sizeof *r->rim);
    r->told = oro_alloc(tiles, sizeof *r->told);
    bool ok = (r->rim && r->told) || no_memory(r, err), again = true;
    ok = oro_tiled_agree(&r->drainage->ground, ok, err) && ok;
    for (size_t i = 0; ok && i < tiles; i++)
        r->news[i] = true;
    while (ok && again)
        ok = round_of(r, &again, err);
    free_values(r->rim, (int)tiles);
    free_values(r->told, (int)tiles);
    return ok;
}

bool oro_tiled_find_rings(struct oro_tiled_drainage *d, struct oro_error *err)
{
    size_t tiles = (size_t)d->tiles;
    struct rings r = {.drainage = d,
                      .messages = oro_alloc(tiles, sizeof *r.messages),
                      .answers = oro_alloc(tiles, sizeof *r.answers),
                      .news = oro_alloc(tiles, sizeof *r.news)};
    bool ok = (r.messages && r.answers && r.news) || no_memory(&r, err);
    ok = oro_tiled_agree(&d->ground, ok, err) && ok;
    for (int field = 0; ok && field < ORO_FLAT_FIELDS; field++) {
        r.field = (enum oro_flat_field)field;
        ok = find_ring(&r, err);
    }
    oro_tiled_free_all(r.messages, d->tiles);
    oro_tiled_free_all(r.answers, d->tiles);
    oro_free(r.news);
    return ok;
}
