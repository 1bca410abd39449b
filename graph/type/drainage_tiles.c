#include "graph/type/drainage_tiles.h"

#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "graph/type/ranks.h"

bool oro_drainage_tiles_own(const struct oro_drainage_tiles *tiles, int tile)
{
    return tiles->device->tiles->rank(tiles->device, &tiles->grid, (size_t)tile) == tiles->ranks->rank;
}

/* What is wrong with the terrain is found by one rank, and no matter of that rank: all say the same. Any
 * other error is named with its rank. */
bool oro_drainage_tiles_agree(const struct oro_drainage_tiles *tiles, bool ok, struct oro_error *err)
{
    struct oro_ranks *ranks = tiles->ranks;
    if (ranks->count == 1)
        return ok;
    uint64_t bad[2] = {!ok && err->code != ORO_E_EVALUATE, ok ? 0 : (uint64_t)(ranks->count - ranks->rank)};
    struct oro_error transport = {0};
    if (!ranks->ops->greatest(ranks, bad, 2, &transport)) {
        *err = transport;
        return false;
    }
    if (bad[0])
        return ranks->ops->agree(ranks, ok, err);
    if (bad[1])
        ranks->ops->broadcast(ranks, ranks->count - (int)bad[1], err, sizeof *err, err);
    return !bad[1];
}

/* ---- Messages ---- */

static bool owns(void *user, int tile)
{
    return oro_drainage_tiles_own(user, tile);
}

static int rank_of(const struct oro_drainage_tiles *tiles, int tile)
{
    return tiles->device->tiles->rank(tiles->device, &tiles->grid, (size_t)tile);
}

/* Before the bytes of each message. */
struct head {
    uint64_t tile, bytes;
};

/* Adds the messages of the tiles of a rank to `parcel`, which has room. */
static size_t pack(const struct oro_drainage_tiles *tiles, int rank, const struct oro_tiled_bytes *messages,
                   unsigned char *parcel)
{
    size_t at = 0;
    for (int i = 0; i < tiles->count; i++) {
        struct head head = {(uint64_t)i, messages[i].count};
        if (rank_of(tiles, i) != rank)
            continue;
        if (parcel) {
            memcpy(parcel + at, &head, sizeof head);
            if (head.bytes)
                memcpy(parcel + at + sizeof head, messages[i].data, head.bytes);
        }
        at += sizeof head + head.bytes;
    }
    return at;
}

static bool unpack_one(const struct oro_drainage_tiles *tiles, struct oro_tiled_bytes *messages,
                       const unsigned char *parcel, size_t bytes, size_t *at, struct oro_error *err)
{
    struct head head = {0};
    if (bytes - *at >= sizeof head)
        memcpy(&head, parcel + *at, sizeof head);
    if (bytes - *at < sizeof head || head.tile >= (uint64_t)tiles->count ||
        head.bytes > bytes - *at - sizeof head)
        return oro_fail(err, ORO_E_RANKS, "messages of tiles have come damaged");
    struct oro_tiled_bytes *to = &messages[head.tile];
    oro_tiled_bytes_free(to);
    if (!(to->data = oro_alloc(head.bytes ? head.bytes : 1, 1)))
        return oro_fail(err, ORO_E_MEMORY, "no memory for messages of tiles");
    memcpy(to->data, parcel + *at + sizeof head, head.bytes);
    to->count = to->capacity = head.bytes;
    *at += sizeof head + head.bytes;
    return true;
}

/* Messages that are there already, as a rank's own are, are replaced by the same ones. */
static bool unpack(const struct oro_drainage_tiles *tiles, struct oro_tiled_bytes *messages,
                   const unsigned char *parcel, size_t bytes, struct oro_error *err)
{
    bool ok = true;
    for (size_t at = 0; ok && at < bytes;)
        ok = unpack_one(tiles, messages, parcel, bytes, &at, err);
    return ok;
}

static bool gather(void *user, bool ok, struct oro_tiled_bytes *messages, struct oro_error *err)
{
    const struct oro_drainage_tiles *tiles = user;
    struct oro_ranks *ranks = tiles->ranks;
    struct oro_error own = {0};
    struct oro_error *reason = err ? err : &own;
    if (!messages)
        return oro_drainage_tiles_agree(tiles, ok, reason);
    size_t bytes = ok ? pack(tiles, ranks->rank, messages, NULL) : 0, total = 0;
    unsigned char *parcel = oro_alloc(bytes + 1, 1);
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes);
    void *all = NULL;
    if (ok && !(parcel && sizes))
        ok = oro_fail(reason, ORO_E_MEMORY, "no memory for messages of tiles");
    if (ok)
        pack(tiles, ranks->rank, messages, parcel);
    ok = oro_drainage_tiles_agree(tiles, ok, reason) &&
         ranks->ops->gather(ranks, parcel, bytes, &all, sizes, reason);
    for (int i = 0; ok && all && sizes && i < ranks->count; i++)
        total += sizes[i];
    ok = ok && (!all || unpack(tiles, messages, all, total, reason));
    oro_free(all);
    oro_free(sizes);
    oro_free(parcel);
    return oro_drainage_tiles_agree(tiles, ok, reason);
}

/* Rank 0's parcels, one after another. NULL: no memory. */
static unsigned char *pack_all(const struct oro_drainage_tiles *tiles, const struct oro_tiled_bytes *answers,
                               size_t *sizes)
{
    size_t total = 0, at = 0;
    for (int i = 0; i < tiles->ranks->count; i++)
        total += sizes[i] = pack(tiles, i, answers, NULL);
    unsigned char *all = oro_alloc(total + 1, 1);
    for (int i = 0; all && i < tiles->ranks->count; i++)
        at += pack(tiles, i, answers, all + at);
    return all;
}

static bool scatter(void *user, bool ok, struct oro_tiled_bytes *answers, struct oro_error *err)
{
    const struct oro_drainage_tiles *tiles = user;
    struct oro_ranks *ranks = tiles->ranks;
    struct oro_error own = {0};
    struct oro_error *reason = err ? err : &own;
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes), bytes = 0;
    unsigned char *all = ok && sizes && ranks->rank == 0 ? pack_all(tiles, answers, sizes) : NULL;
    void *parcel = NULL;
    if (ok && (!sizes || (ranks->rank == 0 && !all)))
        ok = oro_fail(reason, ORO_E_MEMORY, "no memory for answers to tiles");
    ok = oro_drainage_tiles_agree(tiles, ok, reason) &&
         ranks->ops->scatter(ranks, all, sizes, &parcel, &bytes, reason);
    ok = ok && unpack(tiles, answers, parcel, bytes, reason);
    oro_free(parcel);
    oro_free(all);
    oro_free(sizes);
    return oro_drainage_tiles_agree(tiles, ok, reason);
}

static bool any(void *user, bool mine)
{
    const struct oro_drainage_tiles *tiles = user;
    uint64_t value = mine;
    struct oro_error err;
    return tiles->ranks->ops->greatest(tiles->ranks, &value, 1, &err) ? value != 0 : mine;
}

/* ---- */

static int most_of_a_rank(const struct oro_drainage_tiles *tiles)
{
    int most = 0, own = 0, last = -1;
    for (int i = 0; i < tiles->count; i++) {
        int rank = tiles->device->tiles->rank(tiles->device, &tiles->grid, (size_t)i);
        own = rank == last ? own + 1 : 1; /* a rank's tiles follow one another */
        last = rank;
        most = own > most ? own : most;
    }
    return most;
}

void oro_drainage_tiles_begin(struct oro_drainage_tiles *tiles, struct oro_device *device,
                              const struct oro_grid *grid, bool walls)
{
    struct oro_window first = device->tiles->window(device, grid, 0);
    enum { SHARE = 8 }; /* heights, results, what is kept of tiles, and as much for tiles of the device */
    *tiles = (struct oro_drainage_tiles){
        .device = device,
        .ranks = device->tiles->ranks(device),
        .grid = *grid,
        .cut = {grid->width, grid->height, first.width, first.height, walls},
        .count = (int)device->tiles->count(device, grid),
    };
    tiles->most = most_of_a_rank(tiles);
    tiles->budget = oro_budget() / SHARE;
    tiles->among = (struct oro_tiled_ranks){owns, gather, scatter, any, tiles->ranks->rank == 0, tiles};
}
