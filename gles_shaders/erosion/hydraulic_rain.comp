// How much water falls and springs in each cell in one step of time, in steps of depth (Jako 2011, eq. 1); and the ground at
// the start, a float by its bits (lib/pipes_flow.glsl).
#include "lib/number.glsl"
#include "lib/pipes.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    int fallen = steps(round(guarded(rain_at(p)) * pass.time_step * pass.unit));
#ifdef SPRINGS
    fallen += springs[i];
#endif
    fallen_out[i] = ivec2(clamp(fallen, 0, STEPS_MAX), floatBitsToInt(terrain[i]));
}
