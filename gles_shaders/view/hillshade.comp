/* Shaded relief: light from several sides, open sky, colours by elevation, rivers, an overlay. */

/* `gradient` is an input of this node; the function of that name is called uphill_of here. */
#define gradient uphill_of
#include "lib/terrain.glsl"
#undef gradient

const int COLOURS = 8;
const float STOPS[COLOURS] = float[](0.0, 0.12, 0.28, 0.45, 0.6, 0.74, 0.87, 1.0);
const vec3 RAMP[COLOURS] =
    vec3[](vec3(0.41, 0.53, 0.36), vec3(0.53, 0.62, 0.41), vec3(0.68, 0.71, 0.49), vec3(0.83, 0.77, 0.57),
           vec3(0.75, 0.63, 0.47), vec3(0.66, 0.57, 0.50), vec3(0.80, 0.79, 0.78), vec3(0.99, 0.99, 1.0));

/* Colour of an elevation: 0 lowest, 1 highest. */
vec3 hypsometric(float t)
{
    for (int i = 1; i < COLOURS; i++)
        if (t < STOPS[i])
            return mix(RAMP[i - 1], RAMP[i], clamp((t - STOPS[i - 1]) / (STOPS[i] - STOPS[i - 1]), 0.0, 1.0));
    return RAMP[COLOURS - 1];
}

/* Lambert's cosine for a light at a compass direction; 1 is full light. `slope` points uphill. */
float lambert(vec2 slope, float azimuth, float altitude)
{
    vec3 light = vec3(sin(azimuth) * cos(altitude), -cos(azimuth) * cos(altitude), sin(altitude));
    vec3 normal = normalize(vec3(-slope, 1.0));
    return max(dot(normal, light), 0.0);
}

/* Four lights 45 degrees apart, the third of them at `azimuth`. A light counts by sin^2 of the angle between it and
 * the slope's aspect: those that shine along the slope show its shape, those that shine upon it only wash it out (Mark
 * 1992). Level ground has no aspect, and sin^2 sums up to 2 for any aspect, so all lights count half there. */
float lit(vec2 slope)
{
    float azimuth = radians(params.azimuth), altitude = radians(params.altitude);
    float main_light = lambert(slope, azimuth, altitude);
    if (params.method == METHOD_SINGLE)
        return main_light;
    float aspect = slope == vec2(0.0) ? 0.0 : atan(-slope.x, slope.y);
    float sum = 0.0;
    for (int i = -2; i <= 1; i++) {
        float direction = azimuth + float(i) * 0.78539816;
        float across = sin(aspect - direction);
        sum += across * across * lambert(slope, direction, altitude);
    }
    return mix(0.5 * sum, main_light, 0.4);
}

/* Share of the sky that is seen, from the horizon in eight directions; steps grow with distance. */
float open_sky(ivec2 p)
{
    const ivec2 directions[8] = ivec2[](ivec2(1, 0), ivec2(2, 1), ivec2(0, 1), ivec2(-1, 2), ivec2(-1, 0),
                                        ivec2(-2, -1), ivec2(0, -1), ivec2(1, -2));
    float here = terrain_at(p), seen = 0.0;
    for (int i = 0; i < 8; i++) {
        float horizon = 0.0, reach = length(vec2(directions[i]));
        for (int away = 1; away <= 64; away *= 2) {
            float run = float(away) * grid.cell * reach;
            horizon = max(horizon, (terrain_at(p + away * directions[i]) - here) / run);
        }
        horizon *= params.exaggeration;
        seen += 1.0 - horizon * inversesqrt(1.0 + horizon * horizon);
    }
    return seen / 8.0;
}

/* How much of a cell a river covers: rivers widen with the logarithm of the land they drain, from less than one cell to five. */
float river_cover(ivec2 p)
{
    float cover = 0.0;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            ivec2 q = p + ivec2(x, y);
            if (!oro_inside(q))
                continue;
            float flow = drainage_at(q) / max(params.river_area, 1.0);
            if (flow < 1.0)
                continue;
            float radius = min(0.2 + 0.3 * log2(flow), 2.5);
            cover = max(cover, clamp(radius + 0.5 - length(vec2(x, y)), 0.0, 1.0));
        }
    return cover;
}

/* Warm light from the sun and cool light from the sky; without colours both are grey. On open level ground the two add
 * up to 1. */
vec3 shade(float light, float sky)
{
    vec3 sun = mix(vec3(1.0), vec3(1.05, 1.0, 0.93), params.tint);
    vec3 blue = mix(vec3(1.0), vec3(0.92, 1.0, 1.1), params.tint);
    return 0.62 * light * mix(1.0, sky, 0.5) * sun + 0.38 * sky * blue;
}

/* The gradient in metres per metre: what is linked to `gradient`, else from the cells around. */
vec2 uphill(ivec2 p)
{
    if (HAS_GRADIENT != 0)
        return gradient_at(p);
    return uphill_of(p);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float light = lit(uphill(p) * params.exaggeration) / sin(radians(params.altitude)); /* 1 on level ground */
    float sky = params.ambient > 0.0 ? mix(1.0, open_sky(p), params.ambient) : 1.0;
    float span = pass.high - pass.low;
    float t = span > 0.0 ? clamp((terrain_at(p) - pass.low) / span, 0.0, 1.0) : 0.5;
    vec3 ground = mix(vec3(0.86), hypsometric(t), params.tint);
    if (HAS_DRAINAGE != 0)
        ground = mix(ground, params.river_colour.rgb, river_cover(p) * params.river_colour.a);
    ground = mix(ground, params.overlay_colour.rgb, overlay_at(p) * params.overlay_colour.a);
    set_image(p, vec4(clamp(ground * shade(light, sky), 0.0, 1.0), 1.0));
}
