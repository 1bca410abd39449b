/*
 * A grid places the cells of a raster in the world. Cells are square, row 0 is north, and the centre of cell
 * (i, j) lies at (x + (i + 0.5) * cell, y + (j + 0.5) * cell), all in metres.
 */
#ifndef ORO_GRAPH_TYPE_GRID_H
#define ORO_GRAPH_TYPE_GRID_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    /* The widest and highest grid that is accepted. */
    ORO_GRID_MAX = 131072,
    /* A raster in one piece, and a tile of one in tiles, has no more cells than a square of this side: every
     * index, and four times the size of it, stays within 31 bits and 32. */
    ORO_WHOLE_MAX = 32768
};

struct oro_grid {
    int width, height; /* cells */
    double cell;       /* metres */
    double x, y;       /* origin, metres: the north-west corner of cell (0, 0) */
};

/* A rectangle of cells of a grid. */
struct oro_window {
    int x, y, width, height;
};

/* A rectangle of the world: metres from its north-west corner, or shares of its sides. */
struct oro_world_region {
    bool given, shares;
    double x, y, width, height;
};

/* Edges go to the nearest line between cells; there is at least one cell. */
static inline int oro_grid_span(double from, double length, int cells, int *count)
{
    double first = fmin(fmax(round(from), 0), cells - 1);
    *count = (int)(fmin(fmax(round(from + length), first + 1), cells) - first);
    return (int)first;
}
static inline struct oro_window oro_grid_window(const struct oro_grid *grid,
                                                const struct oro_world_region *region)
{
    double x = region->shares ? grid->width : 1 / grid->cell,
           y = region->shares ? grid->height : 1 / grid->cell;
    double west = region->shares ? region->x : region->x - grid->x;
    double north = region->shares ? region->y : region->y - grid->y;
    struct oro_window window;
    window.x = oro_grid_span(west * x, region->width * x, grid->width, &window.width);
    window.y = oro_grid_span(north * y, region->height * y, grid->height, &window.height);
    return window;
}

static inline size_t oro_grid_cells(const struct oro_grid *grid)
{
    return (size_t)grid->width * (size_t)grid->height;
}

/* Whether it may be in one piece. */
static inline bool oro_grid_may_be_whole(const struct oro_grid *grid)
{
    return oro_grid_cells(grid) <= (size_t)ORO_WHOLE_MAX * ORO_WHOLE_MAX;
}

/* How wide it is, in metres. Grids of the same ground may differ in the last bits of cells times their size.
 */
static inline double oro_grid_extent(const struct oro_grid *grid)
{
    return (double)(float)(grid->width * grid->cell);
}

/* Cells along the longer side. */
static inline int oro_grid_longer(const struct oro_grid *grid)
{
    return grid->width > grid->height ? grid->width : grid->height;
}

static inline bool oro_grid_same_size(const struct oro_grid *a, const struct oro_grid *b)
{
    return a->width == b->width && a->height == b->height;
}

/* Whether two grids cover the same ground: they have the same corner and the same extent. Extents are
 * rounded to whole cells: if the cells differ in size, rows may differ by one cell, and columns by a small
 * fraction. */
static inline bool oro_grid_same_ground(const struct oro_grid *a, const struct oro_grid *b)
{
    const struct oro_grid *coarse = a->cell > b->cell ? a : b, *fine = a->cell > b->cell ? b : a;
    double near = 1e-4 * fine->cell, rows = fabs(a->height * a->cell - b->height * b->cell);
    double columns = fabs(a->width * a->cell - b->width * b->cell), rounding = near * fine->height;
    if (coarse->cell > fine->cell * (1 + 1e-9))
        rounding = coarse->cell * (1 + (double)coarse->height / coarse->width);
    return fabs(a->x - b->x) <= near && fabs(a->y - b->y) <= near && columns <= near * fine->width &&
           rows <= rounding;
}

/* Whether they have any ground in common. */
static inline bool oro_grid_meets(const struct oro_grid *a, const struct oro_grid *b)
{
    return a->x < b->x + b->width * b->cell && b->x < a->x + a->width * a->cell &&
           a->y < b->y + b->height * b->cell && b->y < a->y + a->height * a->cell;
}

/* Where the corner of `to` lies in `from`, in cells to the east and south: rounded to whole numbers where
 * these are meant.
 */
static inline void oro_grid_place(const struct oro_grid *from, const struct oro_grid *to, float place[2])
{
    double cells[] = {(to->x - from->x) / from->cell, (to->y - from->y) / from->cell};
    for (int i = 0; i < 2; i++)
        place[i] = (float)(fabs(cells[i] - round(cells[i])) < 1e-4 ? round(cells[i]) : cells[i]);
}

#endif
