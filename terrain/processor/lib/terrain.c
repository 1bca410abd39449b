#include "terrain/processor/lib/terrain.h"

static float beyond(const struct oro_map *terrain, int x, int y)
{
    int edge_x = oro_within(x, terrain->width), edge_y = oro_within(y, terrain->height);
    int past_x = x - edge_x, past_y = y - edge_y;
    float edge = oro_map_at(terrain, edge_x, edge_y), height = edge;
    if (past_x)
        height += (float)(past_x < 0 ? -past_x : past_x) *
                  (edge - oro_map_at(terrain, edge_x - oro_sign(past_x), edge_y));
    if (past_y)
        height += (float)(past_y < 0 ? -past_y : past_y) *
                  (edge - oro_map_at(terrain, edge_x, edge_y - oro_sign(past_y)));
    return height;
}

void oro_terrain_row(const struct oro_map *terrain, int x, int y, int count, float *row)
{
    bool row_inside = y >= 0 && y < terrain->height;
    int first = row_inside ? oro_within(x, terrain->width + 1) : x;
    int end = row_inside ? oro_within(x + count, terrain->width + 1) : x;
    if (first < end) {
        const float *inside = oro_map_row(terrain, first, y, end - first, row + (first - x));
        if (inside != row + (first - x))
            memcpy(row + (first - x), inside, (size_t)(end - first) * sizeof *row);
    } else {
        first = end = x;
    }
    for (int i = x; i < first; i++)
        row[i - x] = beyond(terrain, i, y);
    for (int i = end; i < x + count; i++)
        row[i - x] = beyond(terrain, i, y);
}

void oro_terrain_rows(const struct oro_map *terrain, const struct oro_tile *tile, int y,
                      struct oro_terrain_rows *rows)
{
    oro_terrain_row(terrain, tile->x - 1, y - 1, tile->width + 2, rows->above);
    oro_terrain_row(terrain, tile->x - 1, y, tile->width + 2, rows->here);
    oro_terrain_row(terrain, tile->x - 1, y + 1, tile->width + 2, rows->below);
}
