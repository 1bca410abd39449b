// A round of maxima along the way to the outlet, by pointer doubling.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = pointer[cell];
    uint further = to == NONE ? NONE : pointer[to];
    pointer_out[cell] = further;
    if (further != NONE)
        flags[int(pass.flag)] = 1u;
#if SLOPED
    highest_out[cell] = to == NONE ? highest[cell] : max(highest[cell], highest[to] + int(pass.distance));
#else
    highest_out[cell] = to == NONE ? highest[cell] : max(highest[cell], highest[to]);
#endif
}
