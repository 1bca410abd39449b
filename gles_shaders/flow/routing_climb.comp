// Components follow their links to the root of their spanning tree, or to the outside.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    uint own = cell_number(p);
    if (!oro_inside(p) || component[own] != own)
        return;
    uint to = link[own];
    for (int k = 0; k < 8 && to != NONE; k++)
        to = link[to];
    link[own] = to;
}
