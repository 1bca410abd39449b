/* What flows between the blocks of a larger one. */
#include <stdlib.h>

#include "base/memory.h"
#include "terrain/drainage/flow.h"

/* Exits and entries of all blocks are numbered one after the other. */
struct exit {
    uint32_t child;
    uint32_t to;    /* entry that it leads to; ORO_TILED_NONE: out of the larger block */
    uint32_t outer; /* then: its number among the exits of the larger block */
    struct oro_tiled_values values;
};

struct entry {
    uint32_t exit;  /* that its way leads to, or ORO_TILED_NONE */
    uint32_t outer; /* its number among the entries of the larger block, or ORO_TILED_NONE */
    struct oro_tiled_way way;
};

struct oro_tiled_confluence {
    struct oro_tiled_family family;
    enum oro_tiled_flow flow;
    int children;
    struct oro_tiled_flows *flows;      /* of each block */
    uint32_t *first_exit, *first_entry; /* of each block, and the end */
    struct exit *exits;
    struct entry *entries;
    uint32_t *order;              /* of exits: each before the one that what it gives comes to next */
    struct oro_tiled_flows outer; /* of the larger block */
};

static bool no_memory(const struct oro_tiled_family *family, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory for what flows between the tiles of %d x %d cells",
                    family->block.width, family->block.height);
}

static bool misfit(const struct oro_tiled_family *family, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE,
                    "what flows between the tiles of %d x %d cells does not fit together",
                    family->block.width, family->block.height);
}

static struct oro_tiled_values cross(const struct oro_tiled_confluence *c, struct oro_tiled_values values)
{
    return oro_tiled_flow_down(c->flow, values, NULL, true);
}

/* ---- Reading ---- */

static bool read_flows(struct oro_tiled_confluence *c, const struct oro_tiled_view *flows,
                       struct oro_error *err)
{
    size_t children = (size_t)c->children;
    c->flows = oro_alloc(children, sizeof *c->flows);
    c->first_exit = oro_alloc(children + 1, sizeof *c->first_exit);
    c->first_entry = oro_alloc(children + 1, sizeof *c->first_entry);
    if (!c->flows || !c->first_exit || !c->first_entry)
        return no_memory(&c->family, err);
    for (int i = 0; i < c->children; i++) {
        struct oro_tiled_block block = oro_tiled_family_block(&c->family, i);
        if (!oro_tiled_flows_read(&c->flows[i], &c->family.grid, c->flow, &block, flows[i], err))
            return false;
        uint64_t exits = (uint64_t)c->first_exit[i] + c->flows[i].exit_count;
        uint64_t entries = (uint64_t)c->first_entry[i] + c->flows[i].entry_count;
        if (exits >= ORO_TILED_NONE || entries >= ORO_TILED_NONE)
            return no_memory(&c->family, err);
        c->first_exit[i + 1] = (uint32_t)exits;
        c->first_entry[i + 1] = (uint32_t)entries;
    }
    return true;
}

/* The entry of a block at a rim cell, or ORO_TILED_NONE. */
static uint32_t find_entry(const struct oro_tiled_flows *flows, uint32_t rim)
{
    uint32_t low = 0, high = flows->entry_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (flows->entries[middle].rim < rim)
            low = middle + 1;
        else
            high = middle;
    }
    return low < flows->entry_count && flows->entries[low].rim == rim ? low : ORO_TILED_NONE;
}

static bool connect(struct oro_tiled_confluence *c)
{
    for (int i = 0; i < c->children; i++) {
        const struct oro_tiled_flows *flows = &c->flows[i];
        for (uint32_t k = 0; k < flows->exit_count; k++) {
            struct exit *exit = &c->exits[c->first_exit[i] + k];
            struct oro_tiled_cell to = oro_tiled_neighbour(
                oro_tiled_rim_cell(&flows->block, flows->exits[k].rim), flows->exits[k].direction);
            *exit = (struct exit){(uint32_t)i, ORO_TILED_NONE, ORO_TILED_NONE, flows->exits[k].values};
            if (!oro_tiled_has(&c->family.block, to.x, to.y))
                continue;
            int other = oro_tiled_family_of(&c->family, to);
            exit->to = find_entry(&c->flows[other], oro_tiled_rim_index(&c->flows[other].block, to));
            if (exit->to == ORO_TILED_NONE)
                return false;
            exit->to += c->first_entry[other];
        }
        for (uint32_t k = 0; k < flows->entry_count; k++) {
            const struct oro_tiled_way *way = &flows->entries[k].way;
            uint32_t exit = way->exit == ORO_TILED_NONE ? ORO_TILED_NONE : c->first_exit[i] + way->exit;
            c->entries[c->first_entry[i] + k] = (struct entry){exit, ORO_TILED_NONE, *way};
        }
    }
    return true;
}

/* What an exit gives comes to this one next. */
static uint32_t next_exit(const struct oro_tiled_confluence *c, uint32_t exit)
{
    uint32_t to = c->exits[exit].to;
    return to == ORO_TILED_NONE ? ORO_TILED_NONE : c->entries[to].exit;
}

/* False where they lead in a circle. */
static bool order_exits(const struct oro_tiled_confluence *c, uint32_t *donors)
{
    uint32_t exits = c->first_exit[c->children], done = 0;
    for (uint32_t i = 0; i < exits; i++)
        if (next_exit(c, i) != ORO_TILED_NONE)
            donors[next_exit(c, i)]++;
    for (uint32_t start = 0; start < exits; start++) {
        uint32_t i = start;
        while (i != ORO_TILED_NONE && donors[i] == 0) {
            donors[i] = UINT32_MAX;
            c->order[done++] = i;
            i = next_exit(c, i);
            if (i != ORO_TILED_NONE)
                donors[i]--;
        }
    }
    return done == exits;
}

/* ---- The larger block's flows ---- */

static int by_rim(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

/* Those of the blocks' exits (else entries) that lie on the larger block's shared rim and lead out of it, as
 * rim cell << 32 | number, by rim cells. */
static uint32_t list_outer(const struct oro_tiled_confluence *c, bool exits, uint64_t *list)
{
    const struct oro_tiled_family *family = &c->family;
    uint32_t count = 0;
    for (int i = 0; i < c->children; i++) {
        const struct oro_tiled_flows *flows = &c->flows[i];
        for (uint32_t k = 0; k < (exits ? flows->exit_count : flows->entry_count); k++) {
            uint32_t rim = exits ? flows->exits[k].rim : flows->entries[k].rim;
            struct oro_tiled_cell cell = oro_tiled_rim_cell(&flows->block, rim);
            uint32_t number = (exits ? c->first_exit[i] : c->first_entry[i]) + k;
            bool outer = exits ? c->exits[number].to == ORO_TILED_NONE
                               : oro_tiled_is_shared(&family->grid, &family->block, cell);
            if (outer)
                list[count++] = (uint64_t)oro_tiled_rim_index(&family->block, cell) << 32 | number;
        }
    }
    if (count)
        qsort(list, count, sizeof *list, by_rim);
    return count;
}

static uint8_t direction_of(const struct oro_tiled_confluence *c, uint32_t exit)
{
    uint32_t child = c->exits[exit].child;
    return c->flows[child].exits[exit - c->first_exit[child]].direction;
}

static bool list_outers(struct oro_tiled_confluence *c, struct oro_error *err)
{
    struct oro_tiled_flows *outer = &c->outer;
    uint32_t exits = c->first_exit[c->children], entries = c->first_entry[c->children];
    uint64_t *list = oro_alloc(exits > entries ? exits : entries, sizeof *list);
    if (!list)
        return no_memory(&c->family, err);
    outer->exit_count = list_outer(c, true, list);
    outer->exits = oro_alloc(outer->exit_count, sizeof *outer->exits);
    for (uint32_t i = 0; outer->exits && i < outer->exit_count; i++) {
        uint32_t exit = (uint32_t)list[i];
        c->exits[exit].outer = i;
        outer->exits[i].rim = (uint32_t)(list[i] >> 32);
        outer->exits[i].direction = direction_of(c, exit);
    }
    outer->entry_count = list_outer(c, false, list);
    outer->entries = oro_alloc(outer->entry_count, sizeof *outer->entries);
    for (uint32_t i = 0; outer->entries && i < outer->entry_count; i++) {
        c->entries[(uint32_t)list[i]].outer = i;
        outer->entries[i].rim = (uint32_t)(list[i] >> 32);
    }
    oro_free(list);
    return (outer->exits && outer->entries) || no_memory(&c->family, err);
}

/* Down through all exits. `inflow`: of entries, from beyond the larger block; gets all that comes in.
 * `total`: of exits. */
static void run_down(const struct oro_tiled_confluence *c, struct oro_tiled_values *inflow,
                     struct oro_tiled_values *total)
{
    for (uint32_t i = 0; i < c->first_exit[c->children]; i++)
        total[i] = c->exits[i].values;
    for (uint32_t i = 0; i < c->first_entry[c->children]; i++) {
        const struct entry *entry = &c->entries[i];
        if (entry->exit != ORO_TILED_NONE)
            total[entry->exit] = oro_tiled_flow_meet(
                c->flow, total[entry->exit], oro_tiled_flow_down(c->flow, inflow[i], &entry->way, false));
    }
    for (uint32_t i = 0; i < c->first_exit[c->children]; i++) {
        const struct exit *exit = &c->exits[c->order[i]];
        if (exit->to == ORO_TILED_NONE)
            continue;
        const struct entry *entry = &c->entries[exit->to];
        struct oro_tiled_values values = cross(c, total[c->order[i]]);
        inflow[exit->to] = oro_tiled_flow_meet(c->flow, inflow[exit->to], values);
        if (entry->exit != ORO_TILED_NONE)
            total[entry->exit] = oro_tiled_flow_meet(
                c->flow, total[entry->exit], oro_tiled_flow_down(c->flow, values, &entry->way, false));
    }
}

/* The way of an entry to an exit of the larger block, or to its end. `on`: of exits, the way beyond. */
static struct oro_tiled_way outer_way(const struct oro_tiled_confluence *c, const struct entry *entry,
                                      const struct oro_tiled_way *on)
{
    struct oro_tiled_way way = entry->way;
    if (entry->exit == ORO_TILED_NONE)
        return way;
    const struct exit *exit = &c->exits[entry->exit];
    if (exit->to == ORO_TILED_NONE) {
        way.exit = exit->outer;
        return way;
    }
    return oro_tiled_way_on(c->flow, &way, &on[entry->exit]);
}

static bool fill_outer(struct oro_tiled_confluence *c, struct oro_error *err)
{
    uint32_t exits = c->first_exit[c->children], entries = c->first_entry[c->children];
    struct oro_tiled_way *on = oro_alloc(exits, sizeof *on);
    struct oro_tiled_values *total = oro_alloc(exits, sizeof *total),
                            *inflow = oro_alloc(entries, sizeof *inflow);
    bool room = on && total && inflow;
    if (room) {
        for (uint32_t i = exits; i-- > 0;) {
            const struct exit *exit = &c->exits[c->order[i]];
            if (exit->to != ORO_TILED_NONE)
                on[c->order[i]] = outer_way(c, &c->entries[exit->to], on);
        }
        for (uint32_t i = 0; i < entries; i++) {
            inflow[i] = oro_tiled_flow_nothing(c->flow);
            if (c->entries[i].outer != ORO_TILED_NONE)
                c->outer.entries[c->entries[i].outer].way = outer_way(c, &c->entries[i], on);
        }
        if (!oro_tiled_flow_goes_up(c->flow))
            run_down(c, inflow, total);
        for (uint32_t i = 0; i < exits; i++)
            if (c->exits[i].outer != ORO_TILED_NONE)
                c->outer.exits[c->exits[i].outer].values = total[i];
    }
    oro_free(on);
    oro_free(total);
    oro_free(inflow);
    return room || no_memory(&c->family, err);
}

/* ---- Joining ---- */

static bool make_confluence(struct oro_tiled_confluence *c, const struct oro_tiled_view *flows,
                            struct oro_error *err)
{
    if (!read_flows(c, flows, err))
        return false;
    uint32_t exits = c->first_exit[c->children];
    uint32_t *donors = oro_alloc(exits, sizeof *donors);
    c->exits = oro_alloc(exits, sizeof *c->exits);
    c->entries = oro_alloc(c->first_entry[c->children], sizeof *c->entries);
    c->order = oro_alloc(exits, sizeof *c->order);
    bool room = donors && c->exits && c->entries && c->order;
    bool fits = room && connect(c) && order_exits(c, donors);
    oro_free(donors);
    if (!room)
        return no_memory(&c->family, err);
    return (fits || misfit(&c->family, err)) && list_outers(c, err) && fill_outer(c, err);
}

struct oro_tiled_confluence *oro_tiled_flow_join(const struct oro_tiled_family *family,
                                                 enum oro_tiled_flow flow, const struct oro_tiled_view *flows,
                                                 struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_confluence *c = oro_alloc(1, sizeof *c);
    if (!c) {
        no_memory(family, err);
        return NULL;
    }
    *c = (struct oro_tiled_confluence){.family = *family,
                                       .flow = flow,
                                       .children = oro_tiled_family_count(family),
                                       .outer = {.block = family->block, .flow = flow}};
    bool ok = make_confluence(c, flows, err);
    if (ok && message) {
        oro_tiled_flows_write(&c->outer, message);
        ok = !message->failed || no_memory(family, err);
    }
    if (ok)
        return c;
    oro_tiled_flow_free(c);
    return NULL;
}

void oro_tiled_flow_free(struct oro_tiled_confluence *c)
{
    if (!c)
        return;
    for (int i = 0; c->flows && i < c->children; i++)
        oro_tiled_flows_free(&c->flows[i]);
    oro_free(c->flows);
    oro_free(c->first_exit);
    oro_free(c->first_entry);
    oro_free(c->exits);
    oro_free(c->entries);
    oro_free(c->order);
    oro_tiled_flows_free(&c->outer);
    oro_free(c);
}

/* ---- Answers ---- */

static void part_down(const struct oro_tiled_confluence *c, const struct oro_tiled_values *outer,
                      struct oro_tiled_values *inflow, struct oro_tiled_values *total)
{
    for (uint32_t i = 0; i < c->first_entry[c->children]; i++)
        inflow[i] = outer && c->entries[i].outer != ORO_TILED_NONE ? outer[c->entries[i].outer]
                                                                   : oro_tiled_flow_nothing(c->flow);
    run_down(c, inflow, total);
}

/* `beyond`: of exits, gets the values of the cells that they lead to. */
static void part_up(const struct oro_tiled_confluence *c, const struct oro_tiled_values *outer,
                    struct oro_tiled_values *beyond)
{
    for (uint32_t i = c->first_exit[c->children]; i-- > 0;) {
        uint32_t number = c->order[i];
        const struct exit *exit = &c->exits[number];
        if (exit->to == ORO_TILED_NONE) {
            beyond[number] = outer ? outer[exit->outer] : oro_tiled_flow_nothing(c->flow);
            continue;
        }
        const struct entry *entry = &c->entries[exit->to];
        struct oro_tiled_values on =
            entry->exit == ORO_TILED_NONE ? oro_tiled_flow_nothing(c->flow) : beyond[entry->exit];
        beyond[number] = oro_tiled_flow_up(c->flow, &entry->way, on);
    }
}

bool oro_tiled_flow_part(struct oro_tiled_confluence *c, const struct oro_tiled_view *answer,
                         struct oro_tiled_bytes *answers, struct oro_error *err)
{
    bool up = oro_tiled_flow_goes_up(c->flow);
    uint32_t exits = c->first_exit[c->children], entries = c->first_entry[c->children];
    struct oro_tiled_values *of_exits = oro_alloc(exits, sizeof *of_exits);
    struct oro_tiled_values *of_entries = oro_alloc(entries, sizeof *of_entries), *outer = NULL;
    bool ok = of_exits && of_entries ? true : no_memory(&c->family, err);
    if (ok && answer) {
        outer = oro_tiled_answer_read(up ? c->outer.exit_count : c->outer.entry_count, c->flow,
                                      &c->family.block, *answer, err);
        ok = outer != NULL;
    }
    if (ok && up)
        part_up(c, outer, of_exits);
    else if (ok)
        part_down(c, outer, of_entries, of_exits);
    const struct oro_tiled_values *values = up ? of_exits : of_entries;
    const uint32_t *first = up ? c->first_exit : c->first_entry;
    for (int i = 0; ok && i < c->children; i++) {
        oro_tiled_answer_write(values + first[i], first[i + 1] - first[i], c->flow, &c->flows[i].block,
                               &answers[i]);
        ok = !answers[i].failed || no_memory(&c->family, err);
    }
    oro_free(of_exits);
    oro_free(of_entries);
    oro_free(outer);
    return ok;
}
