#include "terrain/drainage/flats.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { COST_LEAST = 2, COST_CHANCE = 8, WALL_REACH = 12, WALL_MOST = 255, STRAIGHT = 5, DIAGONAL = 7 };

enum { BUCKETS = 256 };
#define NO_ITEM UINT32_MAX

struct seed {
    uint32_t value, item;
};

/* Cells of flats are items, numbered row by row; a cell's label is its item + 1. */
struct crossing {
    struct oro_flats *flats;
    struct oro_strips strips;
    struct oro_offsets offsets;
    struct oro_tiled_block inner; /* the tile's own cells, by column and row of the window */
    uint32_t count, *cell;
    size_t capacity;             /* of `cell` */
    uint32_t *wall, *way, *sink; /* `way`: also `open` */
    uint8_t *cost;
    uint8_t *items; /* a bit for each neighbour that is an item: most items have no others */
    /* Values that come from what is no item, by value. */
    struct seed *seeds;
    size_t seed_count, seed_capacity;
    /* Items whose neighbours have yet to hear of their value, by value: no step is longer than there are
     * buckets. Each bucket is a list. */
    uint32_t bucket[BUCKETS], *next, *previous;
    bool *waits;
    size_t waiting;
};

/* ---- Neighbours ---- */

enum kind { APART, HIGHER, ITEM, GROUND, RING }; /* the last three have the same height */

struct neighbour {
    enum kind kind;
    uint32_t at; /* the item; or the rim cell of the window */
};

static float height_of(const struct crossing *c, size_t cell)
{
    return oro_height(c->flats->ground->z[cell]);
}

static struct neighbour look(const struct crossing *c, size_t cell, int k)
{
    size_t width = c->strips.width;
    if (!oro_has_neighbour(c->strips, cell, cell % width, k))
        return (struct neighbour){HIGHER, 0};
    size_t there = cell + (size_t)c->offsets.to[k];
    float own = height_of(c, cell), other = height_of(c, there);
    if (other != own)
        return (struct neighbour){other > own ? HIGHER : APART, 0};
    int x = (int)(there % width), y = (int)(there / width);
    if (!oro_tiled_has(&c->inner, x, y)) {
        const struct oro_tiled_block *window = &c->flats->window;
        struct oro_tiled_cell at = {window->x + x, window->y + y};
        return (struct neighbour){RING, oro_tiled_rim_index(window, at)};
    }
    uint32_t label = c->flats->label[there];
    return (struct neighbour){label ? ITEM : GROUND, label ? label - 1 : 0};
}

static bool is_diagonal(int k)
{
    return k == 0 || k == 2 || k == 5 || k == 7;
}

/* ---- Chance: PCG's output permutation (O'Neill 2014), as gles_shaders/lib/hash.glsl ---- */

static uint32_t hash(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

static uint32_t chance_at(const struct crossing *c, uint32_t item)
{
    size_t cell = c->cell[item], width = c->strips.width;
    uint32_t x = (uint32_t)c->flats->window.x + (uint32_t)(cell % width);
    uint32_t y = (uint32_t)c->flats->window.y + (uint32_t)(cell / width);
    return hash(x + hash(y));
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint8_t cost_of(const struct crossing *c, uint32_t item)
{
    uint32_t near = WALL_REACH - least(c->wall[item], WALL_REACH);
    return (uint8_t)(COST_LEAST + (chance_at(c, item) >> 24) % COST_CHANCE + near);
}

static uint32_t key_of(const struct crossing *c, uint32_t item)
{
    return (WALL_MOST - least(c->wall[item], WALL_MOST)) << 24 | (chance_at(c, item) & 0xffffff);
}

/* ---- Fields ---- */

static uint32_t *values_of(const struct crossing *c, enum oro_flat_field field)
{
    return field == ORO_FLAT_WALL ? c->wall : field == ORO_FLAT_SINK ? c->sink : c->way;
}

/* What an item gets from a neighbour of value `there`. */
static uint32_t step_to(const struct crossing *c, enum oro_flat_field field, uint32_t item, int k,
                        uint32_t there)
{
    if (there == ORO_FLAT_NONE || (field == ORO_FLAT_SINK && c->way[item] != ORO_FLAT_NONE))
        return ORO_FLAT_NONE;
    if (field == ORO_FLAT_WALL)
        return there + 1;
    if (field == ORO_FLAT_SINK)
        return there;
    uint32_t length = is_diagonal(k) ? DIAGONAL : STRAIGHT;
    return there > ORO_FLAT_LONGEST ? ORO_FLAT_NONE : there + length * c->cost[item];
}

/* ---- Items that wait ---- */

static void unlink_item(struct crossing *c, uint32_t item, uint32_t value)
{
    uint32_t next = c->next[item], previous = c->previous[item];
    if (next != NO_ITEM)
        c->previous[next] = previous;
    if (previous != NO_ITEM)
        c->next[previous] = next;
    else
        c->bucket[value % BUCKETS] = next;
    c->waits[item] = false;
    c->waiting--;
}

static void lower(struct crossing *c, uint32_t *values, uint32_t item, uint32_t value)
{
    uint32_t *first = &c->bucket[value % BUCKETS];
    if (value >= values[item])
        return;
    if (c->waits[item])
        unlink_item(c, item, values[item]);
    values[item] = value;
    c->previous[item] = NO_ITEM;
    c->next[item] = *first;
    if (*first != NO_ITEM)
        c->previous[*first] = item;
    *first = item;
    c->waits[item] = true;
    c->waiting++;
}

/* ---- Shortest ways: Dijkstra's, with buckets (Dial 1969) ---- */

static uint32_t seed_of(const struct crossing *c, enum oro_flat_field field, uint32_t item)
{
    static const uint32_t ground[ORO_FLAT_FIELDS] = {ORO_FLAT_NONE, 0, ORO_FLAT_NONE, 0};
    uint32_t value = ORO_FLAT_NONE;
    for (int k = 0; k < 8; k++) {
        if (c->items[item] >> k & 1)
            continue;
        struct neighbour n = look(c, c->cell[item], k);
        if (n.kind == HIGHER && field == ORO_FLAT_WALL)
            value = 1;
        if (n.kind == GROUND)
            value = least(value, step_to(c, field, item, k, ground[field]));
        if (n.kind == RING && c->flats->ring)
            value = least(value, step_to(c, field, item, k, c->flats->ring[n.at].of[field]));
    }
    return value;
}

static bool is_sink(const struct crossing *c, uint32_t item)
{
    return c->way[item] == ORO_FLAT_NONE && c->sink[item] == key_of(c, item);
}

static int by_value(const void *a, const void *b)
{
    const struct seed *p = a, *q = b;
    return p->value < q->value ? -1 : p->value > q->value;
}

static bool find_seeds(struct crossing *c, enum oro_flat_field field, struct oro_error *err)
{
    c->seed_count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t value = c->items[i] == 0xff ? ORO_FLAT_NONE : seed_of(c, field, i);
        void *seeds = c->seeds;
        if (field == ORO_FLAT_WAY && is_sink(c, i))
            value = 0;
        if (value == ORO_FLAT_NONE)
            continue;
        if (!oro_reserve(&seeds, &c->seed_capacity, c->seed_count + 1, sizeof *c->seeds))
            return oro_no_memory(c->flats->ground, err);
        c->seeds = seeds;
        c->seeds[c->seed_count++] = (struct seed){value, i};
    }
    if (c->seed_count)
        qsort(c->seeds, c->seed_count, sizeof *c->seeds, by_value);
    return true;
}

static void tell_neighbours(struct crossing *c, enum oro_flat_field field, uint32_t *values, uint32_t item)
{
    size_t cell = c->cell[item];
    for (int k = 0; k < 8; k++)
        if (c->items[item] >> k & 1) {
            uint32_t there = c->flats->label[cell + (size_t)c->offsets.to[k]] - 1;
            lower(c, values, there, step_to(c, field, there, k, values[item]));
        }
}

static bool find_ways(struct crossing *c, enum oro_flat_field field, uint32_t *values, struct oro_error *err)
{
    size_t seed = 0;
    if (!find_seeds(c, field, err))
        return false;
    for (uint64_t at = 0, rounds = 1; c->waiting || seed < c->seed_count; at++, rounds++) {
        if (oro_ground_stops(c->flats->ground, 64 * rounds, err))
            return false;
        if (!c->waiting && c->seeds[seed].value > at)
            at = c->seeds[seed].value;
        for (; seed < c->seed_count && c->seeds[seed].value <= at; seed++)
            lower(c, values, c->seeds[seed].item, c->seeds[seed].value);
        for (uint32_t item; (item = c->bucket[at % BUCKETS]) != NO_ITEM;) {
            unlink_item(c, item, values[item]);
            tell_neighbours(c, field, values, item);
        }
    }
    return true;
}

/* ---- Sinks: the least key of each closed flat, as far as the tile has it ---- */

static void find_sink(struct crossing *c, uint32_t start)
{
    uint32_t *found = c->next, count = 0, sink = ORO_FLAT_NONE;
    found[count++] = start;
    c->waits[start] = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = found[i];
        sink = least(sink, key_of(c, item));
        if (c->items[item] != 0xff)
            sink = least(sink, seed_of(c, ORO_FLAT_SINK, item));
        for (int k = 0; k < 8; k++) {
            if (!(c->items[item] >> k & 1))
                continue;
            uint32_t there = c->flats->label[c->cell[item] + (size_t)c->offsets.to[k]] - 1;
            if (c->way[there] != ORO_FLAT_NONE || c->waits[there])
                continue;
            c->waits[there] = true;
            found[count++] = there;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        c->sink[found[i]] = sink;
}

static bool find_sinks(struct crossing *c, struct oro_error *err)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (oro_ground_stops(c->flats->ground, (size_t)i + 1, err))
            return false;
        if (c->way[i] == ORO_FLAT_NONE && c->sink[i] == ORO_FLAT_NONE)
            find_sink(c, i);
    }
    memset(c->waits, 0, c->count * sizeof *c->waits);
    return true;
}

static bool find_field(struct crossing *c, enum oro_flat_field field, struct oro_error *err)
{
    return field == ORO_FLAT_SINK ? find_sinks(c, err) : find_ways(c, field, values_of(c, field), err);
}

/* ---- Results ---- */

static uint32_t way_at(const struct crossing *c, struct neighbour n)
{
    return n.kind == GROUND                   ? 0
           : n.kind == RING && c->flats->ring ? c->flats->ring[n.at].of[ORO_FLAT_WAY]
                                              : ORO_FLAT_NONE;
}

/* Sinks, and what no way comes to, stay pits. */
static void direct(const struct crossing *c, uint32_t item)
{
    uint32_t way = c->way[item];
    for (int k = 0; k < 8 && way != 0 && way != ORO_FLAT_NONE; k++) {
        size_t cell = c->cell[item], beside = cell + (size_t)c->offsets.to[k];
        bool is_item = c->items[item] >> k & 1;
        uint32_t there = is_item ? c->way[c->flats->label[beside] - 1] : way_at(c, look(c, cell, k));
        if (step_to(c, ORO_FLAT_WAY, item, k, there) != way)
            continue;
        c->flats->direction[c->cell[item]] = (uint8_t)k;
        return;
    }
}

/* `open` and `way` share their memory: the latter is the former until it is found. */
static void give_rim(const struct crossing *c)
{
    struct oro_flats *f = c->flats;
    uint32_t count = oro_tiled_rim_count(&f->block);
    for (uint32_t i = 0; i < count; i++) {
        struct oro_tiled_cell at = oro_tiled_rim_cell(&f->block, i);
        uint32_t label =
            f->label[(size_t)(at.y - f->window.y) * c->strips.width + (size_t)(at.x - f->window.x)];
        f->rim[i] = oro_flat_ground();
        for (int field = 0; label && field <= (int)f->last; field++)
            f->rim[i].of[field] = values_of(c, (enum oro_flat_field)field)[label - 1];
    }
}

/* ---- Together ---- */

static bool add_item(struct crossing *c, size_t cell, struct oro_error *err)
{
    void *cells = c->cell;
    if (!oro_reserve(&cells, &c->capacity, (size_t)c->count + 1, sizeof *c->cell))
        return oro_no_memory(c->flats->ground, err);
    c->cell = cells;
    c->cell[c->count++] = (uint32_t)cell;
    return true;
}

static bool is_level(const struct crossing *c, size_t cell)
{
    bool level = false;
    for (int k = 0; k < 8; k++) {
        enum kind kind = look(c, cell, k).kind;
        level |= kind > HIGHER;
        c->flats->crossing |= kind == RING;
    }
    return level;
}

static bool find_items(struct crossing *c, struct oro_error *err)
{
    const struct oro_tiled_block *inner = &c->inner;
    for (int y = inner->y; y < inner->y + inner->height; y++) {
        const uint8_t *direction = c->flats->direction;
        const uint8_t *at = direction + (size_t)y * c->strips.width + (size_t)inner->x;
        const uint8_t *end = at + inner->width;
        for (; at < end && (at = memchr(at, ORO_TO_PIT, (size_t)(end - at))) != NULL; at++)
            if (is_level(c, (size_t)(at - direction)) && !add_item(c, (size_t)(at - direction), err))
                return false;
    }
    for (uint32_t i = 0; i < c->count; i++)
        c->flats->label[c->cell[i]] = i + 1;
    return true;
}

static bool make_room(struct crossing *c)
{
    c->wall = oro_alloc(c->count, sizeof *c->wall);
    c->way = oro_alloc(c->count, sizeof *c->way);
    c->sink = oro_alloc(c->count, sizeof *c->sink);
    c->cost = oro_alloc(c->count, sizeof *c->cost);
    c->items = oro_alloc(c->count, sizeof *c->items);
    c->next = oro_alloc(c->count, sizeof *c->next);
    c->previous = oro_alloc(c->count, sizeof *c->previous);
    c->waits = oro_alloc(c->count, sizeof *c->waits);
    if (!c->wall || !c->way || !c->sink || !c->cost || !c->items || !c->next || !c->previous || !c->waits)
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        c->wall[i] = c->way[i] = c->sink[i] = ORO_FLAT_NONE;
    for (int i = 0; i < BUCKETS; i++)
        c->bucket[i] = NO_ITEM;
    return true;
}

static void free_room(struct crossing *c)
{
    oro_free(c->cell);
    oro_free(c->wall);
    oro_free(c->way);
    oro_free(c->sink);
    oro_free(c->cost);
    oro_free(c->items);
    oro_free(c->seeds);
    oro_free(c->next);
    oro_free(c->previous);
    oro_free(c->waits);
}

static bool find_fields(struct crossing *c, enum oro_flat_field last, struct oro_error *err)
{
    if (!make_room(c))
        return oro_no_memory(c->flats->ground, err);
    for (uint32_t i = 0; i < c->count; i++)
        for (int k = 0; k < 8; k++)
            if (look(c, c->cell[i], k).kind == ITEM)
                c->items[i] |= (uint8_t)(1u << k);
    for (int field = 0; field <= (int)last; field++) {
        if (!find_field(c, (enum oro_flat_field)field, err))
            return false;
        for (uint32_t i = 0; field == ORO_FLAT_WALL && i < c->count; i++)
            c->cost[i] = cost_of(c, i);
    }
    return true;
}

bool oro_flats_cross(struct oro_flats *flats, struct oro_error *err)
{
    const struct oro_tiled_block *block = &flats->block, *window = &flats->window;
    struct crossing c = {.flats = flats,
                         .strips = oro_strips_of(window->width, window->height),
                         .offsets = oro_offsets_of(window->width),
                         .inner = {block->x - window->x, block->y - window->y, block->width, block->height}};
    flats->crossing = false;
    bool ok = find_items(&c, err);
    if (ok && c.count)
        ok = find_fields(&c, flats->rim ? flats->last : ORO_FLAT_WAY, err);
    if (ok && flats->rim)
        give_rim(&c);
    for (uint32_t i = 0; ok && !flats->rim && i < c.count; i++)
        direct(&c, i);
    for (uint32_t i = 0; i < c.count; i++)
        flats->label[c.cell[i]] = 0;
    free_room(&c);
    return ok;
}
