/*
 * What a tile keeps of the rows that are at work while it is stepped: gles_shaders/lib/pipes_patch.glsl. Rows
 * are taken one after the other, and each stage of the work follows the one before by a row, so that four
 * rows of each array are enough and stay in the nearest cache. What two neighbours have to agree on is worked
 * out once: per cell that gives, and per pipe or slide between two cells.
 *
 * Row y, column x of the tile is [y & 3][x + 8]; rings of two cells are around it.
 */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PIPES_PATCH_H
#define ORO_TERRAIN_PROCESSOR_LIB_PIPES_PATCH_H

#include "terrain/processor/lib/pipes.h"

/* The step, as the kernel is given it. */
struct oro_pipes {
    struct oro_run_grid grid;
    int borders;
    bool flow, erosion, thermal, exchange;
    int32_t rain, sea;
    float acceleration, damping, drag; /* of the flow */
    float speed, time_step, unit, metre, slope, film, meeting, least_sine, suspension, softening, collision;
    float slides, drop, talus_hardness;
    struct oro_map evaporation, capacity, deposition, erosion_depth, slide_rate, talus_bias, mask;
    const int32_t *fallen; /* pairs; NULL: rain everywhere */
    const float *terrain;  /* at the start; NULL: `fallen` has it */
    const int32_t *cells, *ahead;
    const float *flux;
    int32_t *cells_out, *ahead_out, *bed, *gone;
    float *flux_out;
};

enum { ORO_PIPES_ROWS = 4, ORO_PIPES_COLUMNS = ORO_TILE_WIDTH + 16, ORO_PIPES_FIRST = 8 };
typedef int32_t oro_pipes_counts[ORO_PIPES_ROWS][ORO_PIPES_COLUMNS];
typedef float oro_pipes_floats[ORO_PIPES_ROWS][ORO_PIPES_COLUMNS];

struct oro_pipes_rows {
    oro_pipes_counts ground, surface, water, sediment; /* water: with this step's rain */
    oro_pipes_floats held, softness;                   /* held: the most that a pipe can get from a cell */
    /* To E, S, SE, SW: fluxes before the giving cells set their bounds, and after; and what goes that way in
     * whole steps. */
    oro_pipes_floats free[4], flux[4];
    oro_pipes_counts sent[4], slid[4];
    /* Of a cell that gives: what becomes of its fluxes, the share of its water that is sediment, the share of
     * its ground that slides at a time, and the drop per cell width that is stable. */
    oro_pipes_floats left, load, share, talus;
    oro_pipes_floats moving;   /* of a drop beside the corner south-east of a cell */
    oro_pipes_floats strength; /* of the mask */
};

/* Ground of cells outside, where nothing slides to, and their surface where nothing flows: beyond all counts.
 */
enum { ORO_OUTSIDE = 3 << 29 };

/* A row of a map, one cell wider than the tile at both ends; `row` has it already if it is a number. */
ORO_INLINE const float *oro_pipes_map(const struct oro_map *map, const struct oro_tile *tile, int y,
                                      float *row)
{
    return map->values ? oro_map_row(map, tile->x - 1, tile->y + y, tile->width + 2, row) + 1 : row + 1;
}

/* The columns of a row of the patch that lie in the grid, from `first` to `end`. */
struct oro_span {
    int first, end;
};
ORO_INLINE struct oro_span oro_pipes_inside(const struct oro_pipes *k, const struct oro_tile *tile, int y)
{
    int right = k->grid.width - tile->x, end = tile->width + 2;
    if (tile->y + y < 0 || tile->y + y >= k->grid.height)
        return (struct oro_span){end, end};
    return (struct oro_span){tile->x < 2 ? -tile->x : -2, right < end ? right : end};
}

/* Index of the first cell of a row of the tile. */
ORO_INLINE ptrdiff_t oro_pipes_index(const struct oro_pipes *k, const struct oro_tile *tile, int y)
{
    return (ptrdiff_t)(tile->y + y) * k->grid.width + tile->x;
}

#endif
