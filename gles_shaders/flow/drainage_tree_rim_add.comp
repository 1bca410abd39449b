// The other half: every slot adds its sum from before the round to the slots that its pointers from before led to. Integers,
// so that the order of the additions does not matter.
#include "lib/tiles.glsl"

void main()
{
    uint slot = own_slot(), to = pointer[slot];
#if CELLS
    if (cells[slot] == 0u)
        return;
#endif
    for (int hop = 0; hop < HOPS && to != NONE; hop++) {
#if CELLS
        atomicAdd(cells_out[to], cells[slot]);
#endif
#if RAIN
        uint low_part = rain_low[slot], before = atomicAdd(rain_low_out[to], low_part);
        uint carry = rain_high[slot] + (before + low_part < before ? 1u : 0u);
        if (carry != 0u)
            atomicAdd(rain_high_out[to], carry);
#endif
        to = pointer[to];
    }
}
