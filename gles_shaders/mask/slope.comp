/* Steepness of the ground. */
#include "lib/terrain.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float tangent = length(gradient(p));
    set_field(p, params.method == METHOD_TANGENT ? tangent : degrees(atan(tangent)));
}
