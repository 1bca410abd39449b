// Every cell gets the component that its own has joined. flags: [flag] a link did not lead to a root yet; [flag + 1] a
// component is left that is not the outside.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), own = component[cell];
    uint to = own == NONE ? NONE : link[own];
    if (to != NONE && link[to] != to)
        flags[int(pass.flag)] = 1u;
    if (to == cell)
        flags[int(pass.flag) + 1] = 1u;
    merged[cell] = to;
}
