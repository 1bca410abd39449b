#include "terrain/processor/lib/ring.h"

#include <string.h>

static void read_row(const struct oro_run_grid *grid, const float *values, const struct oro_tile *tile, int y,
                     float outside, float *row)
{
    int first = tile->x == 0, end = tile->width + 2 - (tile->x + tile->width == grid->width);
    row[0] = row[tile->width + 1] = outside;
    if (y >= 0 && y < grid->height)
        memcpy(row + first, values + (size_t)y * (size_t)grid->width + (size_t)(tile->x + first - 1),
               (size_t)(end - first) * sizeof *row);
    for (int i = 0; i < tile->width + 2 && (y < 0 || y >= grid->height); i++)
        row[i] = outside;
}

void oro_ring_read(const struct oro_run_grid *grid, const float *values, const struct oro_tile *tile, int y,
                   float outside, oro_ring ring)
{
    for (int row = 0; row < 3; row++)
        read_row(grid, values, tile, y + row - 1, outside, ring + row * ORO_RING_ROW);
}
