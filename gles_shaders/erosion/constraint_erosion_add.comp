// The other half: what is left of a cell's water arrives where its pointer leads. Integers, so that the order of the
// additions does not matter.
#include "lib/constraint_erosion.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = uint(oro_index(p)), to = pointer[cell];
    if (to == NONE)
        return;
    uint amount = pass.kept == 1.0 ? sum[cell] : uint(float(sum[cell]) * pass.kept + 0.5);
    if (amount != 0u)
        atomicAdd(sum_out[to], amount);
}
