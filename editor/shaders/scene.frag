/* The view in depth: one ray for each pixel. */
out vec4 colour;

uniform vec3 eye, corner, across, down; /* cells; the ray of a pixel is corner + x * across + y * down */
uniform vec2 jitter;
uniform float pixel_scale; /* pixels of the whole picture for one that is drawn */
uniform vec2 picture_size, part_at; /* where in the picture the drawn part begins */

uniform sampler2D levels_of_water;
uniform int water; /* 0 none, 1 a level, 2 a raster, 3 both */
uniform ivec2 water_size;
uniform float sea; /* cells upwards */
uniform float clear_depth; /* cells: how far one sees into water */

/* The sky, and below the horizon a sea of haze, out of which the block rises. */
vec3 background(vec2 pixel, vec3 from, vec3 along)
{
    vec3 c = mix(background_top, background_bottom, smoothstep(0.0, 1.0, pixel.y / picture_size.y));
    if (with_sky != 0)
        c = along.z > 0.0 ? sky_seen_towards(along) : haze_light(along) * mix(1.0, 0.24, smoothstep(0.0, 0.65, -along.z));
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
    ground_look look = ground_of(at, s.x, normal, footprint);
    return light_on(look.albedo, look.normal, light_at(at.xy));
}

/* The waves that are seen; what is too small for a pixel makes the mirror image dull: `rough` is its slope. */
vec3 wave_normal(vec2 at, float footprint, out float rough)
{
    float wave = float(max(size.x, size.y)) / 260.0, high = 0.030;
    vec2 slope = vec2(0.0), p = at / wave;
    rough = 0.0;
    int most = fine != 0 ? 5 : 2;
    for (int i = 0; i < most; i++) {
        float seen = clamp(wave / (footprint * 2.0) - 0.5, 0.0, 1.0);
        vec4 n = seen > 0.0 ? solid(vec3(p, 0.5 + float(i))) : vec4(0.0);
        slope += n.yz * high * seen;
        rough += high * high * (1.0 - 0.8 * seen * seen);
        p = mat2(1.53, 1.29, -1.29, 1.53) * p + 11.3;
        wave *= 0.5;
        high *= 0.78;
    }
    rough = sqrt(rough);
    return normalize(vec3(-slope, 1.0));
}

/* Light that comes through `path` of water, and what the water itself scatters. */
vec3 through_water(vec3 below, float path, float vertical, vec2 seen)
{
    vec3 absorb = vec3(3.4, 1.05, 0.70) / clear_depth;
    vec3 deep = vec3(0.006, 0.024, 0.038), shallow = vec3(0.030, 0.115, 0.115);
    vec3 day = sun_light * max(sun.z, 0.0) * (0.3 + 0.7 * seen.x) + (ambient[0] + ambient[3]) * seen.y;
    vec3 body = mix(shallow, deep, 1.0 - exp(-1.5 * vertical / clear_depth)) * day;
    /* The ground's light came through the water, too. */
    return mix(body, below, exp(-absorb * (path + 0.7 * vertical)));
}

struct surface_of_water {
    vec3 colour, mirrored; /* its own, and the direction of what it mirrors */
    float mirrors;         /* the share of that */
};

surface_of_water water_surface(vec3 at, vec3 along, vec3 below, float path, float vertical, float footprint)
{
    /* The light texture is for the ground: over deep water, uses unshadowed light instead. */
    vec2 seen = mix(light_at(at.xy), vec2(1.0), smoothstep(0.05, 0.5, vertical / clear_depth));
    float rough;
    vec3 n = wave_normal(at.xy, footprint, rough);
    vec3 c = through_water(below, path, vertical, seen);
    float facing = clamp(dot(n, -along), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0) / (1.0 + 9.0 * rough);
    vec3 mirrored = reflect(along, n);
    mirrored.z = abs(mirrored.z) + rough;
    /* The sun's mirror image, as wide as the waves are rough (Beckmann). */
    vec3 h = normalize(sun - along);
    float wide = rough * rough + 0.0006, cosine = max(h.z * 0.2 + dot(h, n) * 0.8, 1e-3), square = cosine * cosine;
    float glint = exp((square - 1.0) / (square * 2.0 * wide)) / (8.0 * wide * square * square);
    vec3 glitter = sun_light * min(glint * fresnel, 6.0) * seen.x * step(0.0, sun.z);
    /* Foam along the shore, broken up, and a second line farther out. */
    float deep = vertical / clear_depth, extent = float(max(size.x, size.y));
    float broken = noise(at.xy / extent * 420.0) * 0.6 + noise(at.xy / extent * 1300.0) * 0.4;
    float foam = (1.0 - smoothstep(0.015, 0.05, deep)) * smoothstep(0.25, 0.6, broken);
    foam += 0.45 * smoothstep(0.035, 0.0, abs(deep - 0.11 - 0.03 * broken)) * smoothstep(0.5, 0.75, broken);
    vec3 white = 0.75 * (sun_light * max(sun.z, 0.0) * seen.x + (ambient[0] + ambient[3]) * seen.y);
    foam = clamp(foam, 0.0, 1.0) * 0.62;
    return surface_of_water(mix(c * (1.0 - fresnel) + glitter, white, foam), normalize(mirrored), fresnel * (1.0 - foam));
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

struct sight {
    vec3 colour, mirrored;
    float mirrors, t;
    bool solid; /* false: nothing is there */
};

/* What a ray meets; `gone` is how far the light still has to go. */
sight look_along(vec3 from, vec3 along, float gone)
{
    meeting m = march(from, along);
    float enter, leave, t;
    int side;
    bool inside = box(from, along, enter, leave, side);
    vec3 at = from + along * m.t, normal = vec3(0.0, 0.0, 1.0);
    float footprint = pixel_angle * (gone + m.t);
    sight s = sight(vec3(0.0), vec3(0.0), 0.0, m.t, m.kind != NOTHING);
    if (m.kind == GROUND)
        s.colour = ground_at(at, footprint, normal);
    else if (m.kind == WALL)
        s.colour = wall_at(at, m.normal);
    float begin = max(enter, 0.0), end = s.solid ? m.t : leave;
    if (water == 0 || !inside || m.kind == BOTTOM || !meet_water(from, along, begin, end, from + along * end, t))
        return s;
    vec3 place = from + along * t;
    float vertical = max(water_at(s.solid ? at.xy : place.xy) - (s.solid ? at.z : base), 0.0);
    if (!s.solid)
        s.colour = vec3(0.006, 0.024, 0.038) * (ambient[0] + ambient[3]);
    if (t <= begin + 1e-3 && side != 2) {
        if (m.kind != WALL)
            s.colour = through_water(s.colour, end - t, vertical, vec2(1.0)) * 0.8;
        /* The surface, seen from its edge. */
        float below = water_at(place.xy) - place.z;
        s.colour += vec3(0.30, 0.40, 0.44) * ambient[0] * (1.0 - smoothstep(0.5, 2.0, below / max(footprint, 1e-6))) * step(0.0, below);
    } else {
        /* A thin film of rain water is no lake. */
        float film = (water & 1) != 0 ? 1.0 : smoothstep(0.0, 0.12 * clear_depth, vertical);
        surface_of_water w = water_surface(place, along, s.colour, end - t, vertical, footprint);
        s.colour = mix(s.colour, w.colour, film);
        s.mirrored = w.mirrored;
        s.mirrors = w.mirrors * film;
    }
    s.solid = true;
    s.t = t;
    return s;
}

void main()
{
    vec2 drawn = gl_FragCoord.xy + part_at, pixel = (drawn + jitter) * pixel_scale;
    vec3 from = eye, along = normalize(corner + pixel.x * across + pixel.y * down);
    vec3 c = vec3(0.0), share = vec3(1.0);
    float gone = 0.0, begin = haze.x;
    bool plain = false;
    /* Twice, if there is water that mirrors. A loop, so that the long way is compiled once. */
    for (int mirror = 0; mirror < 2; mirror++) {
        sight s = look_along(from, along, gone);
        if (!s.solid) {
            plain = mirror == 0 && with_sky == 0;
            c += share * (mirror == 0 ? background(pixel, from, along) : sky_towards(along));
            break;
        }
        vec3 through = through_haze(from, along, begin, s.t);
        c += share * mix(haze_colour(along), s.colour, through);
        share *= s.mirrors * through;
        if (s.mirrors <= 0.0)
            break;
        if (fine == 0) {
            c += share * sky_towards(s.mirrored);
            break;
        }
        from += along * s.t + vec3(0.0, 0.0, 0.02) + 0.5 * s.mirrored;
        along = s.mirrored;
        gone += s.t;
        begin = 0.0;
    }
    if (!plain)
        c = tone(c);
    /* Dithered: dark gradients would show bands. */
    colour = vec4(c + (hash(drawn + jitter * 61.0) - 0.5) / 255.0, 1.0);
}
