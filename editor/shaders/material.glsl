/* What the ground is made of, and how it is lit. Colours are linear here. */
uniform sampler2D light, colours, mask;
uniform int material, has_colours, colour_channels;
uniform vec4 mask_colour; /* alpha 0: none */
uniform ivec2 colours_size, mask_size;
uniform vec2 colour_range, height_range; /* metres */
uniform float shore;    /* metres; land begins there */
uniform float stretch_of_slopes; /* cells upwards per metre */
uniform vec3 sun;       /* towards it, in the picture's space: y south */
uniform int lit;        /* 1: there is a light texture */

const int NATURAL = 0, ELEVATION = 1, SLOPE = 2, CLAY = 3, IMAGE = 4;

vec3 to_linear(vec3 c)
{
    return pow(c, vec3(2.2));
}

float hash(vec2 p)
{
    vec3 q = fract(vec3(p.xyx) * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
}

float noise(vec2 p)
{
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x), mix(hash(i + vec2(0.0, 1.0)), hash(i + 1.0), f.x), f.y);
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

/* Whether a place lies above (1) or below (-1) its surroundings, and how clearly. */
float convexity(vec2 at, float height)
{
    int level = min(3, mean_last);
    float around = height_between(at, level, height);
    return clamp((height - around) * stretch_of_slopes * 0.35, -1.0, 1.0);
}

vec3 natural(vec2 at, float height, vec3 normal)
{
    float extent = float(max(size.x, size.y));
    float rough = noise(at * (34.0 / extent)), fine = noise(at * (150.0 / extent) + 17.0);
    float patches = rough * 0.6 + fine * 0.4 - 0.5;
    float up = (height - shore) / max(height_range.y - shore, 1e-6);
    float slope = degrees(acos(clamp(normal.z, 0.0, 1.0)));
    float bulge = convexity(at, height);
    float steep = slope + patches * 13.0 + bulge * 7.0;

    up *= mix(0.6, 1.0, smoothstep(600.0, 1500.0, height_range.y));

    vec3 meadow = mix(vec3(0.034, 0.056, 0.016), vec3(0.098, 0.096, 0.036), clamp(0.45 + patches + up * 0.7, 0.0, 1.0));
    vec3 alpine = mix(vec3(0.118, 0.104, 0.056), vec3(0.160, 0.136, 0.092), fine);
    vec3 rock = mix(vec3(0.074, 0.066, 0.060), vec3(0.158, 0.139, 0.120), clamp(0.5 + patches + bulge * 0.5, 0.0, 1.0));
    vec3 scree = vec3(0.190, 0.170, 0.142) * (0.85 + 0.3 * fine);
    float bands = noise(vec2(height * stretch_of_slopes * 0.9 + rough * 2.0, 3.5));
    rock *= 0.82 + 0.36 * bands;

    vec3 c = mix(meadow, alpine, smoothstep(0.32, 0.62, up + patches * 0.35));
    c = mix(c, scree, smoothstep(22.0, 30.0, steep) * smoothstep(0.15, 0.55, up + patches * 0.3));
    c = mix(c, rock, smoothstep(27.0, 38.0, steep));
    float snow = smoothstep(0.68, 0.80, up + patches * 0.22 - bulge * 0.06) * (1.0 - smoothstep(38.0, 52.0, steep));
    /* Hills and canyons are not high enough for snow, however much they stand out. */
    snow *= smoothstep(900.0, 1700.0, height_range.y);
    c = mix(c, vec3(0.80, 0.84, 0.90), snow);
    float beach = 1.0 - smoothstep(0.0, 0.035, up + patches * 0.02);
    float low_ground = shore > height_range.x ? 1.0 : 0.0;
    c = mix(c, vec3(0.27, 0.23, 0.155), beach * low_ground * (1.0 - smoothstep(16.0, 30.0, slope)));
    return c * (1.0 + 0.22 * bulge);
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

vec3 ground_colour(vec2 at, float height, vec3 normal)
{
    vec2 part = (at + 0.5) / vec2(size);
    vec3 c = vec3(0.215, 0.195, 0.175);
    if (material == NATURAL)
        c = natural(at, height, normal);
    else if (material == ELEVATION)
        c = 0.62 * to_linear(palette_colour(scale_at(height)));
    else if (material == SLOPE)
        c = 0.7 * to_linear(palette_colour(clamp(degrees(acos(clamp(normal.z, 0.0, 1.0))) / 60.0, 0.0, 1.0)));
    else if (material == IMAGE)
        c = image_colour(part);
    if (mask_colour.a > 0.0) {
        float m = clamp(texel_between(mask, mask_size, part).r, 0.0, 1.0);
        c = mix(c, to_linear(mask_colour.rgb) * (0.6 + dot(c, vec3(0.8))), m * mask_colour.a);
    }
    return c;
}

/* Light from a warm sun, a blue sky, and the ground's own reflection. */
vec3 light_on(vec3 c, vec3 normal, vec2 seen)
{
    float low = smoothstep(0.0, 0.5, sun.z);
    vec3 sun_colour = mix(vec3(2.9, 1.75, 0.95), vec3(2.85, 2.55, 2.16), low);
    vec3 sky_colour = mix(vec3(0.36, 0.42, 0.58), vec3(0.40, 0.54, 0.80), low);
    float direct = max(dot(normal, sun), 0.0) * seen.x * smoothstep(-0.03, 0.05, sun.z);
    float open_sky = seen.y * (0.55 + 0.45 * normal.z);
    vec3 bounce = vec3(0.26, 0.22, 0.17) * (0.35 + 0.65 * max(sun.z, 0.0)) * seen.y * max(0.0, 0.6 - 0.4 * normal.z);
    float away = max(dot(normal, normalize(vec3(-sun.xy, 0.35))), 0.0);
    return c * (sun_colour * direct + sky_colour * open_sky * 0.85 + bounce + vec3(0.07, 0.085, 0.11) * away * seen.y);
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
    vec3 here = mix(vec3(0.058, 0.047, 0.040), vec3(0.128, 0.104, 0.084), hash(vec2(n, 4.0)));
    vec3 above = mix(vec3(0.058, 0.047, 0.040), vec3(0.128, 0.104, 0.084), hash(vec2(n + 1.0, 4.0)));
    return mix(here, above, smoothstep(0.86, 1.0, edge)) * mix(0.55, 1.0, smoothstep(0.0, 0.5, depth));
}
