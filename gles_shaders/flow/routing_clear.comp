// Clears the components that are left, before another round: they have no saddle yet.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    uint own = cell_number(p);
    if (!oro_inside(p) || component[own] != own)
        return;
    level[own] = NONE;
    number[own] = NONE;
}
