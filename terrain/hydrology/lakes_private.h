/* What the files that make lakes share: lakes.c goes through the steps, lakes_find.c finds their cells and
 * levels, lakes_drain.c lets everything around them drain, lakes_bed.c shapes what is under water and the
 * banks. */
#ifndef ORO_TERRAIN_HYDROLOGY_LAKES_PRIVATE_H
#define ORO_TERRAIN_HYDROLOGY_LAKES_PRIVATE_H

#include "terrain/drainage/routing_private.h"
#include "terrain/hydrology/lakes.h"

/* What becomes a lake, alone or with others that it touches. */
struct oro_lake_body {
    size_t start, count; /* its cells in `list` */
    float level;
    bool hollow, given_up;
    bool drawn;      /* a piece of `where` */
    uint32_t parent; /* the body that it has joined; itself if it leads */
    uint32_t number; /* of the lake, if it leads one */
};

struct oro_lake_making {
    const struct oro_ground *ground;
    const struct oro_lake_options *options;
    struct oro_strips strips;
    struct oro_offsets offsets;
    size_t cells;
    struct oro_lake_wish *wishes;
    size_t wish_count;

    struct oro_lake_body *bodies;
    size_t body_count, body_capacity;
    uint32_t *list; /* cells of all bodies, one body after the other */
    size_t listed, list_capacity;

    uint8_t *open; /* a lake may lie here */
    float *z;      /* the ground as changed so far */
    uint32_t *id;
    float *surface; /* z, and in lakes their level */
    float *roots;   /* 1 where ways may end besides the border */
    uint32_t *mark; /* cells of a walk or a flood have its number, `marks` */
    uint32_t marks;
    uint32_t *sunk;            /* room for cells of a depression */
    uint32_t *met;             /* for ways out of it: the trial that came by last */
    int32_t *highest, *lowest; /* steps: most that a cell may have, and least */
    struct oro_lake *lakes;
    uint32_t lake_count;
};

static inline float oro_lake_number_at(const struct oro_lake_number *number, size_t cell)
{
    float value = number->map ? number->map[cell] : number->value;
    return value >= number->least ? (value <= number->most ? value : number->most) : number->least;
}

/* The neighbours of a cell inside of the terrain, by number. Returns how many. */
static inline int oro_lake_neighbours(const struct oro_lake_making *m, size_t cell, size_t around[8])
{
    int count = 0;
    size_t x = cell % m->strips.width;
    for (int k = 0; k < 8; k++)
        if (oro_has_neighbour(m->strips, cell, x, k))
            around[count++] = cell + (size_t)m->offsets.to[k];
    return count;
}

/* Fills bodies and list. */
bool oro_lakes_find(struct oro_lake_making *m, struct oro_error *err);
/* Numbers what the bodies make that are not given up, into `id` and `lakes`. */
bool oro_lakes_number(struct oro_lake_making *m, struct oro_error *err);
/* Lowers `z` on the banks. */
bool oro_lakes_grade(struct oro_lake_making *m, struct oro_error *err);
/* Changes `z` until all drains around the lakes. `*again`: some had to be given up, and all has to be done
 * anew.
 * */
bool oro_lakes_drain(struct oro_lake_making *m, bool *again, struct oro_error *err);
/* Lowers `z` in the lakes. */
bool oro_lakes_dig(struct oro_lake_making *m, struct oro_error *err);

#endif
