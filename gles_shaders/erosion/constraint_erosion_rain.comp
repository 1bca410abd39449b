// Step 2 begins: what falls on each cell, in fixed point, and the pointer to its receiver. On the grid of gorges, `factor`
// is not 1.
#include "lib/constraint_erosion.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = uint(oro_index(p));
    pointer[cell] = next[cell] == cell ? NONE : next[cell];
    int factor = int(pass.factor);
    ivec2 at = min(p * factor + (factor - 1) / 2, source.size - 1);
    sum[cell] = uint(moisture_at(at) * pass.units + 0.5);
}
