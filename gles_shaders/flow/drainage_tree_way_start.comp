// Ways that lead one cell on, and their length.
#include "lib/grade.glsl"
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = next[cell];
    ivec2 d = abs(place_of(to) - p);
    pointer[cell] = to;
    way[cell] = to == cell ? 0u : d.x + d.y == 2 ? WAY_ACROSS : WAY_STRAIGHT;
}
