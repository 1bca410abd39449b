/* What the ground is made of, and how it is lit. Colours are linear here. */
uniform sampler2D light, colours, mask;
uniform int material, has_colours, colour_channels;
uniform vec4 mask_colour; /* alpha 0: none */
uniform ivec2 colours_size, mask_size;
uniform vec2 colour_range, height_range; /* metres */
uniform float shore;    /* metres; land begins there */
uniform float stretch_of_slopes; /* cells upwards per metre */
uniform int lit;        /* 1: there is a light texture */

const int NATURAL = 0, ELEVATION = 1, SLOPE = 2, CLAY = 3, IMAGE = 4;

vec3 to_linear(vec3 c)
{
    return pow(c, vec3(2.2));
}

/* Height, and its differences per cell, from central differences between the cells around. */
vec3 surface(vec2 at, int level)
{
    vec2 u = to_level(at, level), f = fract(u);
    ivec2 i = ivec2(floor(u));
    float near = height_at(ivec2(floor(u + 0.5)), level), c[16];
    for (int k = 0; k < 16; k++) {
        if (k == 0 || k == 3 || k == 12 || k == 15)
            continue;
        float h = height_at(i + ivec2(k & 3, k >> 2) - 1, level);
        c[k] = h > HOLE ? h : near;
    }
    float east = mix(mix(c[6] - c[4], c[7] - c[5], f.x), mix(c[10] - c[8], c[11] - c[9], f.x), f.y);
    float south = mix(mix(c[9] - c[1], c[10] - c[2], f.x), mix(c[13] - c[5], c[14] - c[6], f.x), f.y);
    float h = mix(mix(c[5], c[6], f.x), mix(c[9], c[10], f.x), f.y);
    return vec3(h, vec2(east, south) * 0.5 * exp2(-float(level)));
}

vec4 texel_between(sampler2D from, ivec2 from_size, vec2 part)
{
    vec2 u = part * vec2(from_size) - 0.5, f = fract(u);
    ivec2 i = ivec2(floor(u)), last = from_size - 1;
    vec4 nw = texelFetch(from, clamp(i, ivec2(0), last), 0), se = texelFetch(from, clamp(i + 1, ivec2(0), last), 0);
    vec4 ne = texelFetch(from, clamp(i + ivec2(1, 0), ivec2(0), last), 0);
    vec4 sw = texelFetch(from, clamp(i + ivec2(0, 1), ivec2(0), last), 0);
    return max(mix(mix(nw, ne, f.x), mix(sw, se, f.x), f.y), vec4(-1e30));
}

vec3 image_colour(vec2 part)
{
    if (has_colours == 0)
        return vec3(0.35);
    vec4 c = texel_between(colours, colours_size, part);
    if (colour_channels == 4)
        return to_linear(clamp(c.rgb, 0.0, 1.0));
    if (colour_channels == 2)
        return to_linear(clamp(vec3(c.xy, 0.5) * 0.5 + 0.25, 0.0, 1.0));
    float at = (c.x - colour_range.x) / max(colour_range.y - colour_range.x, 1e-30);
    return to_linear(palette_colour(clamp(at, 0.0, 1.0)));
}

/* Light from the sun, from the sky, and from the ground around, which gives back most where little sky is seen. */
vec3 light_on(vec3 c, vec3 normal, vec2 seen)
{
    vec3 direct = sun_light * max(dot(normal, sun), 0.0) * seen.x;
    vec3 from_sky = max(ambient[0] + normal.x * ambient[1] + normal.y * ambient[2] + normal.z * ambient[3], vec3(0.0));
    vec3 around = (sun_light * max(sun.z, 0.0) + ambient[0] + ambient[3]) * vec3(0.19, 0.175, 0.15);
    float enclosed = 0.5 - 0.5 * normal.z + 0.6 * (1.0 - seen.y);
    return c * (direct + from_sky * seen.y + around * enclosed * mix(0.5, 1.0, seen.y));
}

vec2 light_at(vec2 at)
{
    return lit != 0 ? textureLod(light, (at + 0.5) / vec2(size), 0.0).rg : vec2(1.0);
}

vec3 strata(vec3 at, vec3 normal)
{
    float along = abs(normal.x) > 0.5 ? at.y : at.x, thick = max(top - base, 1e-3);
    float depth = (at.z - base) / thick;
    float bent = depth * 15.0 + 1.1 * noise(vec2(along * 6.0 / float(max(size.x, size.y)), 1.5)) + 0.25 * noise(vec2(along * 30.0 / float(max(size.x, size.y)), 7.5));
    float n = floor(bent), edge = fract(bent);
    vec3 here = mix(vec3(0.120, 0.098, 0.080), vec3(0.250, 0.208, 0.165), hash(vec2(n, 4.0)));
    vec3 above = mix(vec3(0.120, 0.098, 0.080), vec3(0.250, 0.208, 0.165), hash(vec2(n + 1.0, 4.0)));
    return mix(here, above, smoothstep(0.86, 1.0, edge)) * mix(0.55, 1.0, smoothstep(0.0, 0.5, depth));
}
