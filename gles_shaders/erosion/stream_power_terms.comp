// The terms of the equation cell by cell, for steps that lay down sediment (terrain/hydrology/sediment.h). Where the mask is
// 0 the ground stays as it is: `settling` is -1 there.
#include "lib/routing.glsl"
#include "lib/incision.glsl"
#include "lib/around.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float part = mask_at(p) * deposition_at(p) * grid.cell * grid.cell;
    lifted[i] = lift(p);
    carving[i] = strength(p, area[i]);
    settling[i] = mask_at(p) > 0.0 ? (area[i] > 0.0 ? part / area[i] : 0.0) : -1.0;
    creep soil = creep_around(p, area[i]);
    pulled[i] = soil.pull;
    around[i] = soil.mean;
}
