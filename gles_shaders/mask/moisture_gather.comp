/* Adds up, over winds from several directions, the water and the rain between the two lines on either side of a
 * cell. */

#include "lib/wind.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 at = place_of(p);
    vec2 behind = air[air_index(at.x, at.y)], ahead = air[air_index(at.x, at.y - 1)];
    vec2 here = abs(pass.weight) * mix(behind, ahead, fract(drifted(at.x)));
    mean[oro_index(p)] = pass.weight < 0.0 ? here : mean[oro_index(p)] + here;
}
