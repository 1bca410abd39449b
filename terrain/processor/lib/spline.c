#include "terrain/processor/lib/spline.h"

#include "terrain/processor/vector.h"

enum { TURNS_MAX = 32 };

static float turned_east(const struct oro_map *terrain, int x, int y)
{
    float sum = 0, side = 1;
    for (int i = 0; i < TURNS_MAX && terrain->width > 1 && (x < 0 || x >= terrain->width); i++) {
        int edge = oro_within(x, terrain->width);
        sum += 2 * side * oro_map_at(terrain, edge, y);
        side = -side;
        x = 2 * edge - x;
    }
    return sum + side * oro_map_at(terrain, x, y);
}

static float turned(const struct oro_map *terrain, int x, int y)
{
    float sum = 0, side = 1;
    for (int i = 0; i < TURNS_MAX && terrain->height > 1 && (y < 0 || y >= terrain->height); i++) {
        int edge = oro_within(y, terrain->height);
        sum += 2 * side * turned_east(terrain, x, edge);
        side = -side;
        y = 2 * edge - y;
    }
    return sum + side * turned_east(terrain, x, y);
}

const float *oro_turned_row(const struct oro_map *terrain, int x, int y, int count, float *scratch)
{
    bool inside = y >= 0 && y < terrain->height;
    int first = inside ? oro_within(x, terrain->width + 1) : x,
        end = inside ? oro_within(x + count, terrain->width + 1) : x;
    if (end - first == count)
        return oro_map_row(terrain, x, y, count, scratch);
    for (int i = 0; i < count; i++)
        scratch[i] =
            x + i >= first && x + i < end ? oro_map_at(terrain, x + i, y) : turned(terrain, x + i, y);
    return scratch;
}
