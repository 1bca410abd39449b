// Clears the components that are left, before another round: they have no saddle yet.
#include "lib/tiles.glsl"

void main()
{
    uint own = own_slot();
    if (component[own] != own)
        return;
    level[own] = NONE;
    number[own] = NONE;
}
