/*
 * One level of a multigrid solver (nodes/erosion/relax.h), by tiles: gles_shaders/lib/multigrid.glsl, which
 * says what the equations are. A tile is read with a halo around it; row y, column x of the tile is [y +
 * HALO][x + 8].
 */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_MULTIGRID_H
#define ORO_TERRAIN_PROCESSOR_LIB_MULTIGRID_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum {
    ORO_MULTIGRID_HALO = 4,
    ORO_MULTIGRID_ROWS = ORO_TILE_HEIGHT + 2 * ORO_MULTIGRID_HALO,
    ORO_MULTIGRID_COLUMNS = ORO_TILE_WIDTH + 16,
};
#define ORO_MULTIGRID_FIXED 1e30F /* as a hold: keeps its value */

/* What a sweep starts from. */
enum { ORO_FROM_VALUES, ORO_FROM_NOTHING, ORO_FROM_GIVEN };

struct oro_multigrid {
    struct oro_run_grid grid, source; /* source: the next level's */
    const float *hold, *given;
    float across, along, screening;
    int start, finest;
};

typedef float oro_multigrid_array[ORO_MULTIGRID_ROWS][ORO_MULTIGRID_COLUMNS];

struct oro_multigrid_tile {
    oro_multigrid_array e;
    oro_multigrid_array gain; /* 1 / (sum of weights + tied); 0 for cells that keep their values */
    oro_multigrid_array tied; /* screening + hold */
    oro_multigrid_array given;
    float west[ORO_MULTIGRID_COLUMNS], east[ORO_MULTIGRID_COLUMNS]; /* weights of these neighbours */
};

struct oro_multigrid oro_multigrid_of(struct oro_run *run);

/* In the finest level `hold` says 1 for fixed cells. */
ORO_INLINE float oro_multigrid_held(float hold, int finest)
{
    float marked = hold > 0.5F ? ORO_MULTIGRID_FIXED : 0;
    return finest ? marked : hold;
}

/* The part of the tile and its halo that lies in the grid. */
ORO_INLINE struct oro_tile oro_multigrid_inside(const struct oro_multigrid *level,
                                                const struct oro_tile *tile)
{
    const int halo = ORO_MULTIGRID_HALO;
    int x = tile->x < halo ? 0 : tile->x - halo, y = tile->y < halo ? 0 : tile->y - halo;
    int end_x = tile->x + tile->width + halo, end_y = tile->y + tile->height + halo;
    end_x = end_x < level->grid.width ? end_x : level->grid.width;
    end_y = end_y < level->grid.height ? end_y : level->grid.height;
    return (struct oro_tile){x, y, end_x - x, end_y - y};
}

/* Where column x of the grid's row y lies in an array of the tile. */
ORO_INLINE float *oro_multigrid_at(const struct oro_tile *tile, oro_multigrid_array array, int x, int y)
{
    return &array[y - tile->y + ORO_MULTIGRID_HALO][x - tile->x + 8];
}

ORO_INLINE void oro_multigrid_equations_of_row(const struct oro_multigrid *level, const struct oro_tile *tile,
                                               const struct oro_tile *inside, int y,
                                               struct oro_multigrid_tile *t)
{
    size_t at = (size_t)y * (size_t)level->grid.width + (size_t)inside->x;
    const float *hold = level->hold + at, *given = level->given + at;
    const float *west = t->west + (inside->x - tile->x + 8), *east = t->east + (inside->x - tile->x + 8);
    float north = y > 0 ? level->along : 0, south = y < level->grid.height - 1 ? level->along : 0;
    float *gain = oro_multigrid_at(tile, t->gain, inside->x, y);
    float *tied = oro_multigrid_at(tile, t->tied, inside->x, y);
    float *pulled = oro_multigrid_at(tile, t->given, inside->x, y);
    const int finest = level->finest;
#pragma omp simd
    for (int x = 0; x < inside->width; x++) {
        float held = oro_multigrid_held(hold[x], finest), pull = given[x];
        int fixed = held >= ORO_MULTIGRID_FIXED;
        tied[x] = level->screening + (fixed ? 0 : held);
        float all = west[x] + east[x] + north + south + tied[x], share = 1 / oro_max(all, 1e-37F);
        gain[x] = fixed | !(all > 0) ? 0 : share;
        pulled[x] = finest | fixed ? 0 : pull;
    }
}

/* The equations of the tile and its halo. Beyond the grid cells are 0 and stay so; nothing comes from there.
 */
ORO_INLINE void oro_multigrid_equations(const struct oro_multigrid *level, const struct oro_tile *tile,
                                        struct oro_multigrid_tile *t)
{
    struct oro_tile inside = oro_multigrid_inside(level, tile);
    if (inside.width < tile->width + 2 * ORO_MULTIGRID_HALO ||
        inside.height < tile->height + 2 * ORO_MULTIGRID_HALO)
        memset(t, 0, sizeof *t);
    for (int i = 0; i < ORO_MULTIGRID_COLUMNS; i++) {
        int x = tile->x + i - 8;
        t->west[i] = x > 0 ? level->across : 0;
        t->east[i] = x < level->grid.width - 1 ? level->across : 0;
    }
    for (int y = inside.y; y < inside.y + inside.height; y++)
        oro_multigrid_equations_of_row(level, tile, &inside, y, t);
}

/* How far the equation of a cell is from being met. Differences of neighbours lose nothing to rounding. The
 * order is the one in which Mesa adds up a dot product: what is left in the end is rounding, and tests
 * compare that, too. */
ORO_INLINE float oro_multigrid_residual(const struct oro_multigrid_tile *t, int row, int x, float north,
                                        float south)
{
    float e = t->e[row][x];
    float around = south * (t->e[row + 1][x] - e) + north * (t->e[row - 1][x] - e) +
                   t->east[x] * (t->e[row][x + 1] - e) + t->west[x] * (t->e[row][x - 1] - e);
    return around - t->tied[row][x] * e + t->given[row][x];
}

/* Half a sweep, of the cells of one colour, over the tile and as many rings around it. */
ORO_INLINE void oro_multigrid_sweep(const struct oro_multigrid *level, const struct oro_tile *tile,
                                    int colour, int rings, struct oro_multigrid_tile *t)
{
    for (int y = -rings; y < tile->height + rings; y++) {
        int row = y + ORO_MULTIGRID_HALO;
        float north = tile->y + y > 0 ? level->along : 0;
        float south = tile->y + y < level->grid.height - 1 ? level->along : 0;
        float swept[ORO_MULTIGRID_COLUMNS];
        const float *gain = t->gain[row];
#pragma omp simd
        for (int x = 8 - rings; x < 8 + tile->width + rings; x++) {
            float all = gain[x], own = ((x + row) & 1) == colour ? all : 0;
            swept[x] = t->e[row][x] + own * oro_multigrid_residual(t, row, x, north, south);
        }
        memcpy(t->e[row] + 8 - rings, swept + 8 - rings, (size_t)(tile->width + 2 * rings) * sizeof *swept);
    }
}

#endif
