// Slope to the receiver, metres a metre.
#include "lib/routing.glsl"

ivec2 way_from(ivec2 p)
{
#if DIRECTIONS
    int k = int(next[oro_index(p)]);
    k = k > 7 ? 4 : k < 4 ? k : k + 1;
    return ivec2(k % 3, k / 3) - 1;
#else
    return place_of(next[cell_number(p)]) - p;
#endif
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 way = way_from(p), d = abs(way);
    float run = grid.cell * (d.x + d.y == 2 ? 1.41421356 : 1.0);
    slope[oro_index(p)] = max(height[oro_index(p)] - height[oro_index(p + way)], 0.0) / run;
}
