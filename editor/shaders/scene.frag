/* The view in depth: one ray for each pixel. */
out vec4 colour;

uniform vec3 eye, corner, across, down; /* cells; the ray of a pixel is corner + x * across + y * down */
uniform vec2 jitter;
uniform float pixel_scale; /* pixels of the whole picture for one that is drawn */
uniform vec2 picture_size;
uniform vec3 background_top, background_bottom, haze_colour;
uniform vec3 haze; /* begins at, is thick after, and at most: cells and 0..1 */

uniform sampler2D levels_of_water;
uniform int water; /* 0 none, 1 a level, 2 a raster, 3 both */
uniform ivec2 water_size;
uniform float sea; /* cells upwards */
uniform float clear_depth; /* cells: how far one sees into water */

vec3 background(vec2 pixel, vec3 from, vec3 along)
{
    vec3 c = mix(background_top, background_bottom, smoothstep(0.0, 1.0, pixel.y / picture_size.y));
    if (along.z < -1e-4 && from.z > base) {
        /* A soft shadow around the block's foot, as if it stood on something. */
        vec2 at = (from + along * (base - from.z) / along.z).xy, half_size = 0.5 * vec2(size);
        vec2 d = abs(at - half_size + 0.5) - half_size;
        float away = length(max(d, 0.0)) / float(max(size.x, size.y));
        c *= 1.0 - 0.42 * exp(-away * 11.0) - 0.10 * exp(-away * 3.0);
    }
    return c;
}

vec3 tone(vec3 c)
{
    /* Hable's and Narkowicz's idea: a shoulder that keeps snow from burning out, a toe for depth. */
    c *= 0.92;
    c = (c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14);
    return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2));
}

vec3 ground_at(vec3 at, float footprint, out vec3 normal)
{
    int level = clamp(int(floor(log2(max(footprint, 1.0)) + 0.5)), 0, mean_last);
    vec3 s = surface(at.xy, level);
    normal = normalize(vec3(-s.yz * stretch_of_slopes, 1.0));
    return light_on(ground_colour(at.xy, s.x, normal), normal, light_at(at.xy));
}

vec3 sky_towards(vec3 along)
{
    return mix(vec3(0.62, 0.72, 0.84), vec3(0.20, 0.36, 0.64), smoothstep(0.0, 0.7, along.z));
}

/* Small waves, smaller than they are far away. */
vec3 wave_normal(vec2 at, float footprint)
{
    float unit = 260.0 / float(max(size.x, size.y));
    float strength = 0.035 / (1.0 + footprint * unit * 0.6);
    vec2 p = at * unit;
    float a = noise(p * 1.9 + 5.0) - noise(p * 1.9 + vec2(5.7, 5.0)) + 0.6 * (noise(p * 4.3) - noise(p * 4.3 + vec2(0.6, 0.0)));
    float b = noise(p * 1.9 + 5.0) - noise(p * 1.9 + vec2(5.0, 5.7)) + 0.6 * (noise(p * 4.3) - noise(p * 4.3 + vec2(0.0, 0.6)));
    return normalize(vec3(vec2(a, b) * strength * 2.0, 1.0));
}

/* Light that comes through `path` of water, and what the water itself scatters. */
vec3 through_water(vec3 below, float path, float vertical, vec2 seen)
{
    vec3 absorb = vec3(3.2, 1.05, 0.72) / clear_depth;
    vec3 deep = vec3(0.012, 0.062, 0.105), shallow = vec3(0.040, 0.190, 0.205);
    float day = 0.30 + 0.9 * max(sun.z, 0.0) * (0.4 + 0.6 * seen.x);
    vec3 body = mix(shallow, deep, 1.0 - exp(-1.6 * vertical / clear_depth)) * day;
    /* The ground's light came through the water, too. */
    return mix(body, below, exp(-absorb * (path + 0.7 * vertical)));
}

vec3 water_surface(vec3 at, vec3 along, vec3 below, float path, float vertical, float footprint)
{
    /* The light texture is for the ground: over deep water, uses unshadowed light instead. */
    vec2 seen = mix(light_at(at.xy), vec2(1.0), smoothstep(0.05, 0.5, vertical / clear_depth));
    vec3 n = wave_normal(at.xy, footprint);
    vec3 c = through_water(below, path, vertical, seen);
    float facing = clamp(dot(n, -along), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 mirrored = reflect(along, n);
    mirrored.z = abs(mirrored.z);
    c = mix(c, sky_towards(mirrored) * (0.25 + 0.6 * max(sun.z, 0.0)) * mix(0.6, 1.0, seen.y), fresnel * 0.85);
    float glint = pow(max(dot(mirrored, sun), 0.0), 220.0) * 3.2 + pow(max(dot(mirrored, sun), 0.0), 30.0) * 0.12;
    c += vec3(1.0, 0.93, 0.82) * glint * seen.x * step(0.0, sun.z);
    /* A pale line along the shore. */
    float foam = (1.0 - smoothstep(0.0, 0.055 * clear_depth + 0.35 * footprint * 0.2, vertical)) * 0.30;
    return mix(c, vec3(0.62, 0.68, 0.70) * (0.35 + 0.7 * max(sun.z, 0.0) * seen.x), foam);
}

/* The water level at a place, or far below everything if there is no water. */
float water_at(vec2 at)
{
    float level = -1e30;
    if ((water & 1) != 0)
        level = sea;
    if ((water & 2) != 0)
        level = max(level, rise(texel_between(levels_of_water, water_size, (at + 0.5) / vec2(size)).r));
    return level;
}

/* Where the ray dips into water, before `end`. For a raster of levels, approached in steps. */
bool meet_water(vec3 from, vec3 along, float begin, float end, vec3 last, out float t)
{
    t = begin;
    float level = water_at((from + along * begin).xy);
    if (from.z + along.z * begin < level)
        return true; /* through the side of the block */
    level = water_at(last.xy);
    if (last.z >= level - 1e-4 || along.z >= 0.0)
        return false;
    t = clamp((level - from.z) / along.z, begin, end);
    if ((water & 2) != 0)
        for (int i = 0; i < 3; i++) {
            float here = water_at((from + along * t).xy);
            if (here > -1e29)
                t = mix(t, clamp((here - from.z) / along.z, begin, end), 0.7);
        }
    return t < end;
}

vec3 wall_at(vec3 at, vec3 normal)
{
    float open_sky = 1.0 + 0.5 * (at.z - base) / max(top - base, 1e-3);
    return light_on(strata(at, normal), normal, vec2(1.0, open_sky));
}

vec3 in_haze(vec3 c, vec3 at, float t)
{
    float thick = 1.0 - exp(-max(t - haze.x, 0.0) / haze.y);
    float high = clamp((at.z - base) / max(top - base, 1e-3), 0.0, 1.0);
    return mix(c, haze_colour, clamp(thick * mix(1.15, 0.65, high), 0.0, 1.0) * haze.z);
}

void main()
{
    vec2 pixel = (gl_FragCoord.xy + jitter) * pixel_scale;
    vec3 along = normalize(corner + pixel.x * across + pixel.y * down);
    meeting m = march(eye, along);
    float enter, leave;
    int side;
    bool inside = box(eye, along, enter, leave, side);
    vec3 lit_colour = vec3(0.0), at = eye + along * m.t, normal = vec3(0.0, 0.0, 1.0);
    float footprint = pixel_angle * m.t;
    bool solid = m.kind != NOTHING;
    if (m.kind == GROUND)
        lit_colour = ground_at(at, footprint, normal);
    else if (m.kind == WALL)
        lit_colour = wall_at(at, m.normal);
    else if (m.kind == BOTTOM)
        lit_colour = vec3(0.03);
    float begin = max(enter, 0.0), end = solid ? m.t : leave, t;
    if (water != 0 && inside && m.kind != BOTTOM && meet_water(eye, along, begin, end, eye + along * end, t)) {
        vec3 place = eye + along * t;
        float vertical = max(water_at(solid ? at.xy : place.xy) - (solid ? at.z : base), 0.0);
        if (!solid)
            lit_colour = vec3(0.010, 0.050, 0.085);
        if (t <= begin + 1e-3 && side != 2) {
            if (m.kind != WALL)
                lit_colour = through_water(lit_colour, end - t, vertical, vec2(1.0)) * 0.8;
            /* The surface, seen from its edge. */
            float below = water_at(place.xy) - place.z;
            lit_colour += vec3(0.10, 0.16, 0.18) * (1.0 - smoothstep(0.5, 2.0, below / max(footprint, 1e-6))) * step(0.0, below);
        } else {
            /* A thin film of rain water is no lake. */
            float film = (water & 1) != 0 ? 1.0 : smoothstep(0.0, 0.12 * clear_depth, vertical);
            lit_colour = mix(lit_colour, water_surface(place, along, lit_colour, end - t, vertical, footprint), film);
        }
        at = place;
        m.t = t;
        solid = true;
    }
    vec3 behind = background(pixel, eye, along);
    vec3 c = solid ? tone(in_haze(lit_colour, at, m.t)) : behind;
    /* Dithered: dark gradients would show bands. */
    colour = vec4(c + (hash(gl_FragCoord.xy + jitter * 61.0) - 0.5) / 255.0, 1.0);
}
