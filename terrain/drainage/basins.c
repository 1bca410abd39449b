#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/basins_private.h"

enum { LEAST_BASINS = 4096 }; /* that are worth a thread */

/* ---- Labels of cells ---- */

/* The label of the receiver, if there is one yet. A label that another thread gives to the cell meanwhile may
 * be lost; then it is found again. */
static inline uint32_t take_label(struct oro_basins *basins, size_t cell)
{
    uint8_t direction = basins->direction[cell];
    size_t next = cell + (size_t)basins->offsets.to[direction];
    uint32_t label = atomic_load_explicit(&basins->label[next], memory_order_relaxed);
    label = direction == ORO_TO_OUTLET ? ORO_OUTSIDE : label;
    atomic_store_explicit(&basins->label[cell], label, memory_order_relaxed);
    return label;
}

/* Goes down from a cell to one with a label, then again to write it. */
static void label_way(struct oro_basins *basins, size_t start)
{
    const uint8_t *direction = basins->direction;
    size_t cell = start;
    uint32_t label;
    while (!(label = atomic_load_explicit(&basins->label[cell], memory_order_relaxed))) {
        if (direction[cell] == ORO_TO_OUTLET)
            label = ORO_OUTSIDE;
        if (label)
            break;
        cell += (size_t)basins->offsets.to[direction[cell]];
    }
    for (cell = start; !atomic_load_explicit(&basins->label[cell], memory_order_relaxed);
         cell += (size_t)basins->offsets.to[direction[cell]])
        atomic_store_explicit(&basins->label[cell], label, memory_order_relaxed);
}

/* Most cells get theirs without a way: first those whose way leads south, then north. */
static void label_cells(void *user, size_t first, size_t end)
{
    struct oro_basins *basins = user;
    size_t begin = oro_strip_first(basins->strips, first), last = oro_strip_end(basins->strips, end - 1);
    for (size_t i = last; i-- > begin;)
        take_label(basins, i);
    for (size_t i = begin; i < last; i++)
        if (!take_label(basins, i))
            label_way(basins, i);
}

static void relabel_cells(void *user, size_t first, size_t end)
{
    struct oro_basins *basins = user;
    size_t last = oro_strip_end(basins->strips, end - 1);
    for (size_t i = oro_strip_first(basins->strips, first); i < last; i++) {
        uint32_t old = atomic_load_explicit(&basins->label[i], memory_order_relaxed);
        atomic_store_explicit(&basins->label[i], basins->joined[old], memory_order_relaxed);
    }
}

bool oro_label_basins(struct oro_basins *basins, struct oro_error *err)
{
    return oro_strips_run(basins->strips, basins->ground, label_cells, basins, err);
}

/* ---- Joining ---- */

/* Turns the way from a cell down to its pit, and sends the cell in another direction. */
static void turn(const struct oro_basins *basins, size_t cell, uint8_t to)
{
    for (;;) {
        uint8_t old = basins->direction[cell];
        basins->direction[cell] = to;
        if (old == ORO_TO_PIT)
            return;
        cell += (size_t)basins->offsets.to[old];
        to = (uint8_t)(7 - old);
    }
}

static void join(const struct oro_basins *basins, uint32_t basin, struct oro_saddle saddle)
{
    uint32_t other = saddle.lower == basin ? saddle.upper : saddle.lower;
    size_t cell = (uint32_t)saddle.key >> 2;
    uint8_t direction = (uint8_t)(4 + (saddle.key & 3));
    basins->joined[basin] = basin;
    if (basin < other && basins->saddle[other] == saddle.key)
        return;
    basins->joined[basin] = other;
    if (saddle.lower == basin)
        turn(basins, cell, direction);
    else
        turn(basins, cell + (size_t)basins->offsets.to[direction], (uint8_t)(7 - direction));
}

/* Gives new labels, in the order of the old ones, to what was joined: joined[old] = new. */
static void number_joined(struct oro_basins *basins)
{
    uint32_t *joined = basins->joined, next = ORO_OUTSIDE;
    for (uint32_t i = ORO_OUTSIDE; i < basins->count; i++) {
        uint32_t root = i;
        while (joined[root] != root)
            root = joined[root] = joined[joined[root]];
        for (uint32_t basin = i, up; basin != root; basin = up) {
            up = joined[basin];
            joined[basin] = root;
        }
    }
    for (uint32_t i = ORO_OUTSIDE; i < basins->count; i++)
        if (joined[i] == i)
            atomic_store_explicit(&basins->saddle[i], next++, memory_order_relaxed);
    for (uint32_t i = ORO_OUTSIDE; i < basins->count; i++)
        joined[i] = (uint32_t)basins->saddle[joined[i]];
    basins->count = next;
}

static void forget_saddles(struct oro_basins *basins)
{
    for (size_t i = 0; i < basins->count; i++)
        atomic_store_explicit(&basins->saddle[i], ORO_NO_SADDLE, memory_order_relaxed);
    for (uint32_t i = ORO_OUTSIDE; i < basins->first; i++)
        basins->joined[i] = i;
}

/* ---- While basins are many: a round over all cells ---- */

static inline void offer(struct oro_basins *basins, uint32_t basin, uint64_t key)
{
    _Atomic uint64_t *saddle = &basins->saddle[basin];
    uint64_t lowest = atomic_load_explicit(saddle, memory_order_relaxed);
    while (key < lowest && !atomic_compare_exchange_weak_explicit(saddle, &lowest, key, memory_order_relaxed,
                                                                  memory_order_relaxed))
        continue;
}

static inline void offer_both(void *user, struct oro_saddle saddle)
{
    offer(user, saddle.lower, saddle.key);
    offer(user, saddle.upper, saddle.key);
}

static void find_lowest(void *user, size_t first, size_t end)
{
    for (size_t strip = first; strip < end; strip++)
        oro_visit_saddles(user, strip, offer_both, user);
}

static void join_by_cells(void *user, size_t first, size_t end)
{
    struct oro_basins *basins = user;
    for (size_t i = first < basins->first ? basins->first : first; i < end; i++) {
        struct oro_saddle saddle = {.key = basins->saddle[i]};
        size_t cell = (uint32_t)saddle.key >> 2;
        saddle.lower = basins->label[cell];
        saddle.upper = basins->label[cell + (size_t)basins->offsets.to[4 + (saddle.key & 3)]];
        join(basins, (uint32_t)i, saddle);
    }
}

static bool round_by_cells(struct oro_basins *basins, struct oro_error *err)
{
    forget_saddles(basins);
    if (!oro_strips_run(basins->strips, basins->ground, find_lowest, basins, err))
        return false;
    oro_parallel(basins->count, LEAST_BASINS, join_by_cells, basins);
    number_joined(basins);
    return basins->count == ORO_FIRST_PIT ||
           oro_strips_run(basins->strips, basins->ground, relabel_cells, basins, err);
}

/* ---- When they are fewer: rounds over the list of saddles ---- */

struct listed {
    struct oro_basins *basins;
    struct oro_saddle_list list;
    uint32_t *place; /* of a basin's lowest saddle in the list */
};

static void offer_listed(struct listed *listed, uint32_t basin, uint32_t place)
{
    uint64_t key = listed->list.items[place].key;
    if (key >= atomic_load_explicit(&listed->basins->saddle[basin], memory_order_relaxed))
        return;
    atomic_store_explicit(&listed->basins->saddle[basin], key, memory_order_relaxed);
    listed->place[basin] = place;
}

static void join_listed(void *user, size_t first, size_t end)
{
    struct listed *listed = user;
    struct oro_basins *basins = listed->basins;
    for (size_t i = first < basins->first ? basins->first : first; i < end; i++)
        join(basins, (uint32_t)i, listed->list.items[listed->place[i]]);
}

static bool round_by_list(struct listed *listed, struct oro_error *err)
{
    struct oro_basins *basins = listed->basins;
    if (oro_ground_stops(basins->ground, 0, err))
        return false;
    forget_saddles(basins);
    for (size_t i = 0; i < listed->list.count; i++) {
        offer_listed(listed, listed->list.items[i].lower, (uint32_t)i);
        offer_listed(listed, listed->list.items[i].upper, (uint32_t)i);
    }
    oro_parallel(basins->count, LEAST_BASINS, join_listed, listed);
    number_joined(basins);
    /* Drops the saddles that are inside of basins now. */
    struct oro_saddle_list *list = &listed->list;
    const uint32_t *joined = listed->basins->joined;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct oro_saddle saddle = list->items[i];
        saddle.lower = joined[saddle.lower];
        saddle.upper = joined[saddle.upper];
        if (saddle.lower != saddle.upper)
            list->items[kept++] = saddle;
    }
    list->count = kept;
    return true;
}

/* The list stays for the caller. */
static bool join_by_list(struct oro_basins *basins, struct oro_saddle_list *list, struct oro_error *err)
{
    struct listed listed = {.basins = basins, .place = oro_alloc(basins->count, sizeof *listed.place)};
    bool ok = listed.place ? oro_list_saddles(basins, &listed.list, err) : oro_no_memory(basins->ground, err);
    while (ok && basins->count > basins->first)
        ok = round_by_list(&listed, err);
    oro_free(listed.place);
    *list = listed.list;
    return ok;
}

bool oro_join_all_basins(struct oro_basins *basins, struct oro_saddle_list *left, struct oro_error *err)
{
    struct oro_saddle_list list = {0};
    bool ok = true;
    while (ok && basins->count > basins->first && basins->count > basins->strips.cells / 16)
        ok = round_by_cells(basins, err);
    if (ok && basins->count > ORO_FIRST_PIT && (left || basins->count > basins->first))
        ok = join_by_list(basins, &list, err);
    if (left)
        *left = list;
    else
        oro_free(list.items);
    return ok;
}
