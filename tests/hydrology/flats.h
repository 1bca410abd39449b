/* The rules of flats (terrain/drainage/flats.h), word by word: it shares no code with terrain/drainage. */
#ifndef ORO_TESTS_HYDROLOGY_FLATS_H
#define ORO_TESTS_HYDROLOGY_FLATS_H

#include <string.h>

#include "tests/hydrology/terrains.h"

#define NO_VALUE UINT32_MAX

static inline uint32_t flat_hash(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

static inline uint32_t flat_chance(const struct site *site, size_t cell)
{
    uint32_t width = (uint32_t)site->ground.width;
    return flat_hash((uint32_t)cell % width + flat_hash((uint32_t)cell / width));
}

struct flat_fields {
    const struct site *site;
    bool *flat;
    uint32_t *wall, *way, *sink;
};

static inline bool is_level_with(const struct site *site, size_t a, size_t b)
{
    return oro_height(site->z[a]) == oro_height(site->z[b]);
}

static inline uint32_t flat_cost(const struct flat_fields *f, size_t cell)
{
    uint32_t near = f->wall[cell] < 12 ? 12 - f->wall[cell] : 0;
    return 2 + (flat_chance(f->site, cell) >> 24) % 8 + near;
}

static inline uint32_t flat_key(const struct flat_fields *f, size_t cell)
{
    uint32_t wall = f->wall[cell] < 255 ? f->wall[cell] : 255;
    return (255 - wall) << 24 | (flat_chance(f->site, cell) & 0xffffff);
}

static inline uint32_t flat_length(int k)
{
    return k == 0 || k == 2 || k == 5 || k == 7 ? 7 : 5;
}

/* What a cell's way is through neighbour k. */
static inline uint32_t way_through(const struct flat_fields *f, size_t cell, int k)
{
    size_t there;
    if (!has_neighbour(f->site, cell, k, &there) || !is_level_with(f->site, cell, there))
        return NO_VALUE;
    uint32_t on = f->flat[there] ? f->way[there] : 0;
    return on == NO_VALUE ? NO_VALUE : on + flat_length(k) * flat_cost(f, cell);
}

static inline uint32_t wall_of(const struct flat_fields *f, size_t cell)
{
    uint32_t wall = NO_VALUE;
    for (int k = 0; k < 8; k++) {
        size_t there;
        bool is = has_neighbour(f->site, cell, k, &there), level = is && is_level_with(f->site, cell, there);
        uint32_t by = NO_VALUE;
        if (!is || oro_height(f->site->z[there]) > oro_height(f->site->z[cell]))
            by = 1;
        else if (level && f->flat[there] && f->wall[there] != NO_VALUE)
            by = f->wall[there] + 1;
        wall = by < wall ? by : wall;
    }
    return wall;
}

static inline uint32_t way_of(const struct flat_fields *f, size_t cell)
{
    uint32_t way = f->sink[cell] != NO_VALUE && f->sink[cell] == flat_key(f, cell) ? 0 : NO_VALUE;
    for (int k = 0; k < 8; k++) {
        uint32_t by = way_through(f, cell, k);
        way = by < way ? by : way;
    }
    return way;
}

static inline uint32_t sink_of(const struct flat_fields *f, size_t cell)
{
    if (f->way[cell] != NO_VALUE)
        return NO_VALUE;
    uint32_t sink = flat_key(f, cell);
    for (int k = 0; k < 8; k++) {
        size_t there;
        if (has_neighbour(f->site, cell, k, &there) && is_level_with(f->site, cell, there) &&
            f->flat[there] && f->sink[there] < sink)
            sink = f->sink[there];
    }
    return sink;
}

/* Until nothing changes, there and back again. */
static inline void settle(struct flat_fields *f, uint32_t *values,
                          uint32_t (*value)(const struct flat_fields *f, size_t cell))
{
    size_t cells = f->site->cells;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < 2 * cells; n++) {
            size_t cell = n < cells ? n : 2 * cells - 1 - n;
            uint32_t new = f->flat[cell] ? value(f, cell) : NO_VALUE;
            changed |= new < values[cell];
            values[cell] = new < values[cell] ? new : values[cell];
        }
    }
}

/* Over receivers of the first rule: those of the second. Returns how many pits are left. */
static inline size_t flat_receivers(const struct site *site, uint32_t *receiver)
{
    size_t bytes = site->cells * sizeof(uint32_t), there, pits = 0;
    struct flat_fields f = {site, room_for(site->cells, sizeof *f.flat), room_for(site->cells, 4),
                            room_for(site->cells, 4), room_for(site->cells, 4)};
    memset(f.wall, 0xff, bytes);
    memset(f.way, 0xff, bytes);
    memset(f.sink, 0xff, bytes);
    for (size_t i = 0; i < site->cells; i++) {
        f.flat[i] = false;
        for (int k = 0; k < 8 && receiver[i] == i && !is_outlet(site, i); k++)
            f.flat[i] |= has_neighbour(site, i, k, &there) && is_level_with(site, i, there);
    }
    settle(&f, f.wall, wall_of);
    settle(&f, f.way, way_of);
    settle(&f, f.sink, sink_of);
    settle(&f, f.way, way_of);
    for (size_t i = 0; i < site->cells; i++) {
        for (int k = 8; k-- > 0;)
            if (f.flat[i] && f.way[i] != 0 && way_through(&f, i, k) == f.way[i] &&
                has_neighbour(site, i, k, &there))
                receiver[i] = (uint32_t)there;
        pits += receiver[i] == i && !is_outlet(site, i);
    }
    free(f.flat);
    free(f.wall);
    free(f.way);
    free(f.sink);
    return pits;
}

#endif
