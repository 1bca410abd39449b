/* Gaussian bumps, blended. nodes/source/bumps.c places them. */
#include "lib/noise.glsl"

const int ROUGH_OCTAVES = 6;

/* Gaussian that has fallen to exp(-2) at the bump's radius; an ellipse of the same area as the circle. */
float bump_height(int i, vec2 place)
{
    vec4 shape = bumps[2 * i];
    vec2 axis = bumps[2 * i + 1].xy;
    vec2 d = place - shape.xy;
    vec2 along = vec2(dot(axis, d), dot(vec2(-axis.y, axis.x), d));
    float stretch = shape.w;
    return shape.z * exp(-2.0 * (along.x * along.x / stretch + along.y * along.y * stretch));
}

float blended(vec2 place)
{
    float top = max(max(params.height_low, params.height_high), 1e-6);
    float highest = 0.0, sum = 0.0, powers = 0.0;
    for (int i = 0; i < params.count; i++) {
        float h = bump_height(i, place);
        highest = max(highest, h);
        sum += h;
        float share = h / top;
        powers += share * share * share * share;
    }
    if (params.blend == BLEND_MAX)
        return highest;
    return params.blend == BLEND_SUM ? sum : top * sqrt(sqrt(powers));
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 place = (vec2(p) + 0.5) * grid.cell;
    float size = 0.5 * (params.radius_low + params.radius_high), rough = 0.0;
    if (params.roughness > 0.0) {
        vec2 x = place / size;
        vec2 bend = vec2(gradient_fbm(x, ROUGH_OCTAVES, hash(params.seed + 1u)),
                         gradient_fbm(x, ROUGH_OCTAVES, hash(params.seed + 2u)));
        place += params.roughness * size * bend;
        rough = params.roughness * gradient_fbm(2.0 * x, ROUGH_OCTAVES, hash(params.seed + 3u));
    }
    set_terrain(p, blended(place) * max(1.0 + rough, 0.0));
}
