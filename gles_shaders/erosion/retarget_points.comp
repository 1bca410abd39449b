// Points, as cell and elevation: their CORRECTIONS, or their ELEVATIONS where the mask allows. No cell comes twice. Where
// the ground is no number, or beyond all ground, there is nothing to correct, as in retarget_delta.comp.
#include "lib/retarget.glsl"

void main()
{
    int number = oro_cell().x;
    if (number >= int(pass.count))
        return;
    int i = points[number].x;
    float elevation = intBitsToFloat(points[number].y);
#if defined(CORRECTIONS)
    float difference = elevation - ground[i];
    bool known = abs(difference) < 1e30;
    fixed_out[i] = known ? 1.0 : 0.0;
    to[i] = known ? difference : 0.0;
#else
    if (fixed_out[i] > 0.5)
        to[i] = masked(ivec2(i % grid.size.x, i / grid.size.x), ground[i], elevation);
#endif
}
