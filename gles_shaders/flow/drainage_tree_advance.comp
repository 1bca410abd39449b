// Half a round of sums along the drainage tree, by pointer doubling: pointers reach twice as far, sums are copied for
// the other half, drainage_tree_add.comp, to add to.
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
#if LOWEST
    lowest_out[cell] = lowest[cell];
#endif
#if CELLS
    cells_out[cell] = cells[cell];
#endif
#if RAIN
    rain_low_out[cell] = rain_low[cell];
    rain_high_out[cell] = rain_high[cell];
#endif
}
