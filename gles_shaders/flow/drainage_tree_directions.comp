// Receivers as neighbour numbers: 0 north-west, 1 north, ... 7 south-east; 8 for an outlet.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    ivec2 d = place_of(next[cell]) - p;
    int at = (d.y + 1) * 3 + d.x + 1;
    direction[cell] = next[cell] == cell ? 8.0 : float(at > 4 ? at - 1 : at);
}
