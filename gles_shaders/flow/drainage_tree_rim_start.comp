// Empties the slots of the rims: nothing comes in yet, and pointers lead nowhere.
#include "lib/tiles.glsl"

void main()
{
    uint slot = own_slot();
    pointer[slot] = NONE;
#if LOWEST
    lowest[slot] = 0x7fffffff;
#endif
#if GRADE
    grade[slot] = 0x7fffffff;
#endif
#if CELLS
    cells[slot] = 0u;
#endif
#if RAIN
    rain_low[slot] = 0u;
    rain_high[slot] = 0u;
#endif
}
