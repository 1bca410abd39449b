// Makes heights of levels or steps; a cell that is not raised keeps its bits.
#include "lib/routing.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
#if SLOPED
    if (highest[cell] > -STEPS_LOWEST)
        flags[int(pass.flag)] = 1u;
    filled[cell] = highest[cell] > -step_of(-z[cell]) ? step_height(min(highest[cell], -STEPS_LOWEST)) : z[cell];
#else
    filled[cell] = highest[cell] > level_of(z[cell]) ? level_height(highest[cell]) : z[cell];
#endif
}
