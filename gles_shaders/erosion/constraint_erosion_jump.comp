// Every cell's pointer goes to where its pointer's pointer leads, in place: to the minimum of its basin, or NONE outside.
// Others may have moved on meanwhile, but the end is the same.
#include "lib/constraint_erosion.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    uint to = jump[i];
    for (int k = 0; k < 4 && to != NONE; k++)
        to = jump[to];
    jump[i] = to;
}
