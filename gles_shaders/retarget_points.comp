// Points, as cell and elevation: their CORRECTIONS, or their ELEVATIONS where the mask allows. No cell comes twice.
#include "lib/retarget.glsl"

void main()
{
    int number = oro_cell().x;
    if (number >= int(pass.count))
        return;
    int i = points[number].x;
    float elevation = intBitsToFloat(points[number].y);
#if defined(CORRECTIONS)
    fixed_out[i] = 1.0;
    to[i] = elevation - ground[i];
#else
    to[i] = masked(ivec2(i % grid.size.x, i / grid.size.x), ground[i], elevation);
#endif
}
