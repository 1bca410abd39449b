// The other half: every cell adds its sum from before the round to the cell that its pointer from before led to,
// `distance` cells on. Integers, so that the order of the additions does not matter.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = pointer[cell];
    if (to == NONE)
        return;
#if LOWEST
    int low = lowest[cell] - int(pass.distance);
    if (low < lowest_out[to])
        atomicMin(lowest_out[to], low);
#endif
#if CELLS
    atomicAdd(cells_out[to], cells[cell]);
#endif
#if RAIN
    uint low_part = rain_low[cell], before = atomicAdd(rain_low_out[to], low_part);
    uint carry = rain_high[cell] + (before + low_part < before ? 1u : 0u);
    if (carry != 0u)
        atomicAdd(rain_high_out[to], carry);
#endif
}
