/* The list of saddles. Neighbouring basins meet in many cells, but in few places: a small table of the pairs
 * met last keeps the lowest saddle of each until another pair needs its slot. */
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/basins_private.h"

enum { SLOT_BITS = 13 };

struct gathering {
    const struct oro_basins *basins;
    struct oro_saddle_list *lists; /* by strip; some stay empty */
    atomic_bool failed;
};

struct table {
    struct oro_saddle *slots; /* empty: both basins are ORO_NO_BASIN */
    struct oro_saddle_list *list;
    bool failed;
};

static void keep(struct table *table, struct oro_saddle saddle)
{
    struct oro_saddle_list *list = table->list;
    void *items = list->items;
    if (table->failed || !oro_reserve(&items, &list->capacity, list->count + 1, sizeof saddle)) {
        table->failed = true;
        return;
    }
    list->items = items;
    list->items[list->count++] = saddle;
}

static inline void meet(void *user, struct oro_saddle saddle)
{
    struct table *table = user;
    uint32_t hash = (saddle.lower ^ saddle.upper) * 2654435769u ^ (saddle.lower + saddle.upper) * 2246822519u;
    struct oro_saddle *slot = &table->slots[hash >> (32 - SLOT_BITS)];
    bool same = (slot->lower == saddle.lower && slot->upper == saddle.upper) ||
                (slot->lower == saddle.upper && slot->upper == saddle.lower);
    if (same && slot->key < saddle.key)
        return;
    if (!same && slot->lower)
        keep(table, *slot);
    *slot = saddle;
}

static void gather(void *user, size_t first, size_t end)
{
    struct gathering *gathering = user;
    size_t slots = (size_t)1 << SLOT_BITS;
    struct table table = {.slots = oro_alloc(slots, sizeof *table.slots), .list = &gathering->lists[first]};
    table.failed = !table.slots;
    for (size_t strip = first; strip < end && !table.failed; strip++)
        oro_visit_saddles(gathering->basins, strip, meet, &table);
    for (size_t i = 0; i < slots && !table.failed; i++)
        if (table.slots[i].lower)
            keep(&table, table.slots[i]);
    oro_free(table.slots);
    if (table.failed)
        atomic_store(&gathering->failed, true);
}

static bool join_lists(const struct oro_saddle_list *lists, size_t count, struct oro_saddle_list *all)
{
    void *items = NULL;
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += lists[i].count;
    if (!oro_reserve(&items, &all->capacity, total, sizeof *all->items))
        return false;
    all->items = items;
    for (size_t i = 0; i < count; i++) {
        if (lists[i].count)
            memcpy(all->items + all->count, lists[i].items, lists[i].count * sizeof *all->items);
        all->count += lists[i].count;
    }
    return true;
}

bool oro_list_saddles(const struct oro_basins *basins, struct oro_saddle_list *list, struct oro_error *err)
{
    size_t strips = basins->strips.count;
    struct gathering gathering = {.basins = basins, .lists = oro_alloc(strips, sizeof *gathering.lists)};
    if (!gathering.lists)
        return oro_no_memory(basins->ground, err);
    bool ok = oro_strips_run(basins->strips, basins->ground, gather, &gathering, err);
    if (ok && (atomic_load(&gathering.failed) || !join_lists(gathering.lists, strips, list)))
        ok = oro_no_memory(basins->ground, err);
    for (size_t i = 0; i < strips; i++)
        oro_free(gathering.lists[i].items);
    oro_free(gathering.lists);
    return ok;
}
