// A round of measuring the ways to the outlets, by pointer doubling. A pointer to an outlet stays there.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = pointer[cell], further = pointer[to];
    pointer_out[cell] = further;
    way_out[cell] = way[cell] + (to == cell ? 0u : way[to]);
    if (further != to)
        flags[int(pass.flag)] = 1u;
}
