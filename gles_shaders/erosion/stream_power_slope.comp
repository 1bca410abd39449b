// Slope to the receiver, metres a metre.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = next[cell];
    ivec2 d = abs(place_of(to) - p);
    float run = grid.cell * (d.x + d.y == 2 ? 1.41421356 : 1.0);
    slope[cell] = max(height[cell] - height[to], 0.0) / run;
}
