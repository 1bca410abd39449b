// Lowers the ground where it is level, and smoothly towards it, to a bed that the land's slope goes on to.
#include "lib/bicubic.glsl"
#include "lib/shore.glsl"

vec2 shore_near(ivec2 q)
{
    return shore[oro_source_index(clamp(q, ivec2(0), source.size - 1))];
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 place = (vec2(p) + 0.5) * vec2(source.size) / vec2(grid.size) - 0.5;
    if (!is_near(shore_near(ivec2(floor(place + 0.5)))))
        return;
    ivec2 first = ivec2(floor(place)) - 1;
    vec4 wx = b_spline(fract(place.x)), wy = b_spline(fract(place.y));
    float lowered = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            lowered += wy[j] * wx[i] * shore_near(first + ivec2(i, j)).x;
    ground[oro_index(p)] += lowered;
}
