// What sums along the drainage tree start from: the pointer to the receiver, and each cell's own amount.
#include "lib/routing.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    pointer[cell] = next[cell] == cell ? NONE : next[cell];
#if LOWEST
    lowest[cell] = step_of(z[cell]);
#endif
#if CELLS
    cells[cell] = 1u;
#endif
#if RAIN
    // In fixed point and 64 bits, so that the sum is exact.
    rain_low[cell] = uint(floor(clamp(rain_at(p), 0.0, 1000.0) * 1048576.0 + 0.5));
    rain_high[cell] = 0u;
#endif
}
