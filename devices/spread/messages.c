/*
 * What ranks send each other: parts of tiles. Every rank goes through the wishes of all, in the same order,
 * and so knows without being told what it sends, what it gets, and where in a message each part lies.
 */
#include "base/memory.h"
#include "devices/spread/internal.h"

void oro_wishes_add(struct wishes *wishes, struct wish wish)
{
    void *items = wishes->items;
    if (wishes->failed || !wish.window.width)
        return;
    if (!oro_reserve(&items, &wishes->capacity, wishes->count + 1, sizeof *wishes->items)) {
        wishes->failed = true;
        return;
    }
    wishes->items = items;
    wishes->items[wishes->count++] = wish;
}

static size_t part_bytes(const struct part *part)
{
    return (size_t)part->window.width * (size_t)part->window.height * (size_t)part->tiled->channels * WORD;
}

static bool add_part(struct parts *parts, struct part part)
{
    void *items = parts->items;
    if (!oro_reserve(&items, &parts->capacity, parts->count + 1, sizeof *parts->items))
        return false;
    parts->items = items;
    part.offset = parts->bytes[part.rank];
    parts->items[parts->count++] = part;
    parts->bytes[part.rank] += part_bytes(&part);
    return true;
}

/* The parts of a wish of rank `rank` that this rank gets (where it is its own), or sends. */
static bool add_parts(const struct spread *spread, struct mail *mail, const struct wish *wish, int rank)
{
    const struct tiling *tiling = &wish->tiled->tiling;
    int self = spread->ranks->rank, ranks = spread->ranks->count;
    for (size_t i = oro_tiling_meet(tiling, &wish->window); i < tiling->count;
         i = oro_tiling_next(tiling, &wish->window, i)) {
        int owner = oro_tiling_rank(tiling, i, ranks);
        if (owner == rank || (rank != self && owner != self))
            continue;
        struct part part = {.tiled = wish->tiled,
                            .tile = i,
                            .target = wish->target,
                            .window = oro_window_common(wish->window, oro_tiling_window(tiling, i)),
                            .rank = rank == self ? owner : rank};
        if (!add_part(rank == self ? &mail->received : &mail->sent, part))
            return false;
    }
    return true;
}

/* Sizes that are powers of two, so that most messages find memory that is there. */
static bool make_pinned(struct spread *spread, struct parts *parts, struct oro_error *err)
{
    for (int i = 0; i < spread->ranks->count; i++) {
        size_t bytes = 4096;
        while (bytes < parts->bytes[i])
            bytes *= 2;
        if (parts->bytes[i] && (!(parts->pinned[i] = oro_pinned_take(spread, bytes, err)) ||
                                !oro_pinned_settle(spread, parts->pinned[i], err)))
            return false;
    }
    return true;
}

static bool pack(struct spread *spread, struct mail *mail, struct oro_error *err)
{
    for (size_t i = 0; i < mail->sent.count; i++) {
        const struct part *part = &mail->sent.items[i];
        struct tiled_buffer *tiled = part->tiled;
        struct oro_window window = oro_tiling_window(&tiled->tiling, part->tile);
        if (!oro_tile_pack(spread, &tiled->tiles[part->tile],
                           oro_window_block(window, part->window, tiled->channels),
                           mail->sent.pinned[part->rank], part->offset / WORD, err))
            return false;
    }
    for (int i = 0; i < spread->ranks->count; i++)
        if (mail->sent.pinned[i] && !oro_pinned_settle(spread, mail->sent.pinned[i], err))
            return false;
    return true;
}

static bool begin_parts(struct parts *parts, int ranks)
{
    parts->pinned = oro_alloc((size_t)ranks, sizeof(struct pinned *));
    parts->bytes = oro_alloc((size_t)ranks, sizeof *parts->bytes);
    return parts->pinned && parts->bytes;
}

bool oro_mail_prepare(struct spread *spread, struct mail *mail,
                      void (*wish)(void *user, int rank, struct wishes *wishes), void *user,
                      struct oro_error *err)
{
    int ranks = spread->ranks->count;
    *mail = (struct mail){0};
    if (ranks == 1)
        return true;
    struct wishes wishes = {0};
    bool ok = begin_parts(&mail->sent, ranks) && begin_parts(&mail->received, ranks);
    for (int rank = 0; ok && rank < ranks; rank++) {
        wishes.count = 0;
        wish(user, rank, &wishes);
        ok = !wishes.failed;
        for (size_t i = 0; ok && i < wishes.count; i++)
            ok = add_parts(spread, mail, &wishes.items[i], rank);
    }
    oro_free(wishes.items);
    if (!ok)
        return oro_fail(err, ORO_E_MEMORY, "no memory for what is sent to others");
    return make_pinned(spread, &mail->sent, err) && make_pinned(spread, &mail->received, err) &&
           pack(spread, mail, err);
}

static size_t messages_of(const struct parts *parts, int ranks, struct oro_message *messages)
{
    size_t count = 0;
    for (int i = 0; i < ranks; i++)
        if (parts->bytes[i])
            messages[count++] = (struct oro_message){i, parts->pinned[i]->memory, parts->bytes[i]};
    return count;
}

bool oro_mail_exchange(struct spread *spread, struct mail *mail, bool ok, struct oro_error *err)
{
    struct oro_ranks *ranks = spread->ranks;
    if (ranks->count == 1)
        return ok;
    struct oro_message *messages = oro_alloc((size_t)ranks->count * 2, sizeof *messages);
    if (!messages && ok)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for messages");
    ok = oro_spread_agree(spread, ok, err);
    if (ok) {
        size_t sent = messages_of(&mail->sent, ranks->count, messages);
        size_t received = messages_of(&mail->received, ranks->count, messages + sent);
        ok = ranks->ops->exchange(ranks, messages, sent, messages + sent, received, err);
        spread->agreed = spread->agreed || !ok;
    }
    oro_free(messages);
    return ok;
}

static void free_parts(struct spread *spread, struct parts *parts)
{
    for (int i = 0; parts->pinned && i < spread->ranks->count; i++)
        oro_pinned_give(spread, parts->pinned[i]);
    oro_free(parts->pinned);
    oro_free(parts->bytes);
    oro_free(parts->items);
}

void oro_mail_free(struct spread *spread, struct mail *mail)
{
    free_parts(spread, &mail->sent);
    free_parts(spread, &mail->received);
    *mail = (struct mail){0};
}

const void *oro_mail_cells(const struct mail *mail, const struct part *part)
{
    return (const char *)mail->received.pinned[part->rank]->memory + part->offset;
}

bool oro_spread_agree(struct spread *spread, bool ok, struct oro_error *err)
{
    ok = spread->ranks->ops->agree(spread->ranks, ok, err);
    spread->agreed = !ok;
    return ok;
}
