/* Snow by altitude, sun, slope and wind. */
#include "lib/quadratic.glsl"
#include "lib/terrain.glsl"

/* The same as in `curvature`: a ridge whose mean curvature is a third of 1 / radius bulges by 0.7. */
const float CONTRAST = 3.0;

/* From 0 to 1 over `width` around `middle`; a step where that is 0. */
float rise_over(float value, float middle, float width)
{
    return width > 0.0 ? smoothstep(middle - 0.5 * width, middle + 0.5 * width, value) : value >= middle ? 1.0 : 0.0;
}

/* The share of level ground that is covered at this place, by altitude. The line moves with the sun, and by up to half
 * of the transition with the wind. */
float lasting(ivec2 p, vec2 uphill, float blown)
{
    float azimuth = radians(direction_at(p));
    vec2 sun = vec2(sin(azimuth), -cos(azimuth));
    float facing = -dot(uphill, sun) / max(length(uphill), 1.0); /* 1 from 45 degrees on, towards the sun */
    float line = altitude_at(p) + aspect_at(p) * facing + 0.5 * transition_at(p) * blown;
    return rise_over(terrain_at(p), line, transition_at(p));
}

/* The share that does not slide off. */
float holding(ivec2 p, vec2 uphill, float blown)
{
    float softness = softness_at(p), angle = degrees(atan(length(uphill)));
    return 1.0 - rise_over(angle, slope_at(p) + softness * (0.5 - 0.5 * blown), softness);
}

/* Snow evens the ground out: where the ground stands out of its surroundings by a little, there is as much less of it.
 * Where the ground stands out by much more than the snow is deep, it cannot: at most half of the depth moves. */
float settled(float deep, float above)
{
    float most = 0.5 * deep;
    return most > 0.0 ? deep - above * most * inversesqrt(most * most + above * above) : 0.0;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    quadratic f = quadratic_at(p);
    vec2 uphill = gradient(p);
    float blown = wind_at(p) * bulge(f, params.radius, CONTRAST);
    float cover = lasting(p, uphill, blown) * holding(p, uphill, blown);
    float snow = min(cover * (1.0 - blown), 1.0);
    float deep = settled(depth_at(p) * cover * (1.0 - blown), terrain_at(p) - f.level);
    set_snow(p, snow * mask_at(p));
    set_depth(p, deep * mask_at(p));
    set_terrain(p, terrain_at(p) + deep);
}
