// Half a round of sums along the drainage tree, by pointer doubling: pointers reach twice as far, water is copied for
// the other half, constraint_erosion_add.comp, to add to.
#include "lib/constraint_erosion.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = uint(oro_index(p)), to = pointer[cell];
    pointer_out[cell] = to == NONE ? NONE : pointer[to];
    sum_out[cell] = sum[cell];
}
