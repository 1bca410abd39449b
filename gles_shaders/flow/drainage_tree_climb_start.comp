// What maxima along the way to the outlet start from: levels, or steps where every cell of the way counts one.
#include "lib/routing.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    pointer[cell] = next[cell] == cell ? NONE : next[cell];
#if SLOPED
    // The lowest step that is not below z.
    highest[cell] = -step_of(-z[cell]);
#else
    highest[cell] = level_of(z[cell]);
#endif
}
