// Components follow their links to the root of their spanning tree, or to the outside.
#include "lib/tiles.glsl"

void main()
{
    uint own = own_slot();
    if (component[own] != own)
        return;
    uint to = link[own];
    for (int k = 0; k < 8 && to != NONE; k++)
        to = link[to];
    link[own] = to;
}
