/* Sky, haze and the light they give; radiances are exposed already. */
uniform sampler2D sky_seen; /* by the angle from the sun's azimuth, and the root of that above the horizon */
uniform vec3 sun;           /* towards it, in the picture's space: y south */
uniform vec3 sun_light, sun_disc, ambient[4];
uniform float clouds;
uniform int night, with_sky;
uniform vec3 background_top, background_bottom; /* without a sky */
uniform vec3 haze;     /* begins at, per cell at height 0, height at which an e-th is left: cells */

const float PI = 3.14159265;

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

float from_sun(vec3 along)
{
    vec2 a = along.xy, b = sun.xy;
    return acos(clamp(dot(a, b) / max(length(a) * length(b), 1e-6), -1.0, 1.0)) / PI;
}

vec3 clear_sky(vec3 along, float least)
{
    float up = asin(clamp(along.z, 0.0, 1.0)) * 2.0 / PI;
    vec2 texels = vec2(textureSize(sky_seen, 0));
    vec2 at = vec2(from_sun(along), max(sqrt(up), least));
    return textureLod(sky_seen, (at * (texels - 1.0) + 0.5) / texels, 0.0).rgb;
}

/* What distant haze looks like in a direction. */
vec3 haze_light(vec3 along)
{
    vec3 c = 0.90 * clear_sky(vec3(along.xy, 0.0), 0.20);
    return mix(c, vec3(dot(c, vec3(0.25, 0.65, 0.10))), 0.25);
}

vec3 sky_towards(vec3 along)
{
    if (with_sky == 0)
        return mix(ambient[0] * 1.7, ambient[0] * 0.9, smoothstep(0.0, 0.7, along.z));
    return mix(haze_light(along), clear_sky(along, 0.0), smoothstep(0.0, 0.06, along.z));
}

float cirrus(vec3 along)
{
    vec2 p = along.xy / (along.z + 0.12) * vec2(1.3, 2.1);
    p += 0.6 * vec2(noise(p * 0.9 + 3.0), noise(p * 0.9 + 9.0));
    float n = 0.0, part = 0.5;
    for (int i = 0; i < 5; i++) {
        n += part * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 7.3;
        part *= 0.5;
    }
    float cover = smoothstep(0.62 - 0.35 * clouds, 0.95 - 0.25 * clouds, n);
    return cover * smoothstep(0.02, 0.20, along.z) * smoothstep(0.0, 0.12, clouds) * (1.0 - 0.5 * clouds);
}

float stars(vec3 along)
{
    /* On the faces of a cube around the eye. */
    vec3 a = abs(along);
    vec2 p = 90.0 * (a.z > max(a.x, a.y) ? along.xy / a.z : a.x > a.y ? along.yz / a.x + 3.0 : along.xz / a.y + 7.0);
    vec2 cell = floor(p), place = 0.15 + 0.7 * vec2(hash(cell), hash(cell + 91.7)), away = fract(p) - place;
    float bright = hash(cell + 13.1);
    return exp(-420.0 * dot(away, away)) * pow(bright, 14.0) * 1.6;
}

vec3 sky_seen_towards(vec3 along)
{
    vec3 c = sky_towards(along);
    float towards = dot(along, sun);
    vec3 lit_cloud = 0.42 * sun_light * (0.65 + 1.6 * pow(max(towards, 0.0), 8.0)) + ambient[0] * 1.15;
    float cloud = cirrus(along);
    c = mix(c, lit_cloud, cloud * 0.75);
    if (night != 0)
        c += vec3(0.85, 0.92, 1.0) * stars(along) * (1.0 - cloud) * smoothstep(0.0, 0.2, along.z);
    float disc = night != 0 ? 0.99993 : 0.99997;
    return c + sun_disc * smoothstep(disc - 0.00003, disc + 0.00001, towards) * (1.0 - cloud);
}

/* How much light comes through the haze, which gets thinner upwards, from a place `t` away along a ray to one `begin`
 * away; blue is scattered most. */
vec3 through_haze(vec3 from, vec3 along, float begin, float t)
{
    float run = t - begin;
    if (haze.y <= 0.0 || run <= 0.0)
        return vec3(1.0);
    float a = max(from.z + along.z * begin, 0.0) / haze.z, b = max(from.z + along.z * t, 0.0) / haze.z;
    float mean = abs(b - a) < 1e-3 ? exp(-a) : (exp(-a) - exp(-b)) / (b - a);
    return exp(-haze.y * run * mean * vec3(0.74, 0.95, 1.28));
}

vec3 haze_colour(vec3 along)
{
    return with_sky != 0 ? haze_light(along) : background_bottom * background_bottom;
}
