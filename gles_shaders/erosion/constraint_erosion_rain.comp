// Step 2 begins: what falls on each cell, in fixed point, and the pointer to its receiver.
#include "lib/constraint_erosion.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = uint(oro_index(p));
    pointer[cell] = next[cell] == cell ? NONE : next[cell];
    sum[cell] = uint(moisture_at(p) * pass.units + 0.5);
}
