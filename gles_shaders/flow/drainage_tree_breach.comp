// Makes heights of the lowest steps upstream; a cell that is not carved keeps its bits.
#include "lib/routing.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    if (lowest[cell] < STEPS_LOWEST)
        flags[int(pass.flag)] = 1u;
    carved[cell] = carved_height(lowest[cell], z[cell]);
}
