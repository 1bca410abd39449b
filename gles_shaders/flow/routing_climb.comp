// Components follow their links to the root of their spanning tree, or to the outside.
#include "lib/rounds.glsl"
#include "lib/tiles.glsl"

void main()
{
    uint own = own_slot();
    if (component[own] != own || before_is_unfinished())
        return;
    uint to = link[own], further = to == NONE ? NONE : link[to];
    for (int k = 0; k < 32 && further != to; k++) {
        to = further;
        further = to == NONE ? NONE : link[to];
    }
    link[own] = to;
}
