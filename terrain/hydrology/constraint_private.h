/*
 * What the files of constraint erosion on the processor share. Work goes by strips (routing_private.h), and
 * in them by pieces of rows, whose intermediate results stay in the fastest memory.
 */
#ifndef ORO_TERRAIN_HYDROLOGY_CONSTRAINT_PRIVATE_H
#define ORO_TERRAIN_HYDROLOGY_CONSTRAINT_PRIVATE_H

#include "terrain/drainage/routing_private.h"

#include "terrain/hydrology/constraint_erosion.h"

enum { ORO_CONSTRAINT_COLUMNS = 512 }; /* of a piece: a multiple of all sides of tiles */

/* Sums around a tile: of relief (c - h), and of relief. */
struct oro_constraint_tile {
    double sum, weight;
};

struct oro_constraint_scratch {
    struct oro_arena *arena; /* of all of it */
    struct oro_strips strips;
    struct oro_offsets offsets;
    /* From a cell's node to those of its neighbours 4 to 7, in cells; infinite where they are not neighbours.
     * Preceded by width + 1 numbers. */
    float *distance[4];
    float *way;         /* to the receiver, in cells; anything in outlets and minima */
    uint8_t *direction; /* preceded and followed by width + 1 outlets */
    uint8_t *upstream;  /* bit k: neighbour k drains here */
    uint8_t *awaited;   /* the same, of those that have not been added yet */
    /* Cells, each before its receiver: first those that nothing of another strip drains to, by strips, so
     * many of each; then the head. */
    uint32_t *order, *head;
    size_t *placed, head_count;
    size_t *leaving;          /* how many cells of each strip begin the head */
    uint32_t *minima, *basin; /* number in `minima`, from 1, of the basin that a cell is in; 0: the outside */
    size_t minima_count;
    struct oro_constraint_tile *tile, *tile_row; /* sums around tiles; within rows of tiles */
    int tile_columns, tile_rows;
    float *carved;                       /* a second ground */
    struct oro_constraint_erosion *wide; /* the grid of gorges, where it is another; its arrays are its own */
    float *wide_rain;
    float *difference; /* h - c before the gradient constraint */
    float *row_mean;   /* of the difference, where neighbours reach further than one cell */
};

/* Calls work(user, strip) for all strips, on all processors. */
void oro_constraint_strips(struct oro_strips strips, void (*work)(void *user, size_t strip), void *user);

/* Calls work(user, cell, count) for all pieces of a strip, row by row. */
static inline void oro_constraint_pieces(struct oro_strips strips, size_t strip,
                                         void (*work)(void *user, size_t cell, size_t count), void *user)
{
    size_t end = oro_strip_end(strips, strip);
    for (size_t row = oro_strip_first(strips, strip); row < end; row += strips.width)
        for (size_t x = 0; x < strips.width; x += ORO_CONSTRAINT_COLUMNS) {
            size_t left = strips.width - x;
            work(user, row + x, left < ORO_CONSTRAINT_COLUMNS ? left : ORO_CONSTRAINT_COLUMNS);
        }
}

static inline float oro_constraint_held(float value, float most)
{
    return value > 0 ? value < most ? value : most : 0;
}

/* Values of a map from `cell` on. */
static inline void oro_constraint_values(const struct oro_constraint_map *map, size_t cell, size_t count,
                                         float *values)
{
    float literal = oro_constraint_held(map->literal, map->most);
    for (size_t i = 0; i < count; i++)
        values[i] = map->raster ? oro_constraint_held(map->raster[cell + i], map->most) : literal;
}

static inline float oro_constraint_total(const struct oro_constraint_erosion *run, float h)
{
    float sea = run->params->sea_level;
    return h > sea ? h : sea;
}

/* Whether to go on; if not, fills `err`. */
bool oro_constraint_goes_on(const struct oro_constraint_erosion *run, struct oro_error *err);

/* ---- The steps, in the order of constraint_erosion.h ---- */

void oro_constraint_place_nodes(struct oro_constraint_erosion *run); /* once: distances */
void oro_constraint_receivers(struct oro_constraint_erosion *run);   /* directions, ways */
void oro_constraint_add_water(struct oro_constraint_erosion *run);   /* drainage; lists minima */
/* Returns the ground that gorges leave: `carved`, or h where there are none. NULL: failed. */
float *oro_constraint_gorges(struct oro_constraint_erosion *run, struct oro_error *err);
void oro_constraint_sum_tiles(struct oro_constraint_erosion *run);
/* B of the cells from `cell` on, which are of one row. */
void oro_constraint_broad(const struct oro_constraint_erosion *run, size_t cell, size_t count, float *mean);
/* Erosion of `ground`, which is h or `carved`, then the value constraints: `difference`, and `row_mean`. */
bool oro_constraint_erode(struct oro_constraint_erosion *run, float *ground, struct oro_error *err);
void oro_constraint_gradient(struct oro_constraint_erosion *run); /* h */

#endif
