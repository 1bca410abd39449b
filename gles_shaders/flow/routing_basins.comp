// Makes basins of the ends of the chains: the pit's number, or NONE outside.
#include "lib/outlets.glsl"
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    uint end = basin[i], own = is_outlet(place_of(end)) ? NONE : end;
    basin[i] = own;
    component[i] = own;
    exit[i] = NONE;
    level[i] = NONE;
    number[i] = NONE;
}
