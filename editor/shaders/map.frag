/* The flat view of a raster. */
out vec4 colour;

uniform vec2 origin, step_cells; /* place of pixel (0, 0), and of one pixel more, in cells */
uniform vec2 part_at;            /* where in the picture the drawn part begins */
uniform int channels, mode, sharp, level;
uniform float cell;    /* metres */
uniform vec3 sun;      /* towards it; x east, y south, z up */
uniform float exaggeration, contours, largest;
uniform vec3 background;

const int HEIGHT = 1, HILLSHADE = 2, SHADED = 3, MASK = 4, SLOPE = 5;

/* The 4 x 4 cells around a place, and where in the middle it lies. */
float cells[16];

void gather(ivec2 i, float near)
{
    for (int k = 0; k < 16; k++) {
        float h = height_at(i + ivec2(k & 3, k >> 2) - 1, level);
        cells[k] = h > HOLE ? h : near;
    }
}

/* Horn 1981: differences weighted over the 8 neighbours of a cell, here in metres per cell of the level. */
vec2 horn(int k)
{
    float east = cells[k - 3] + 2.0 * cells[k + 1] + cells[k + 5];
    float west = cells[k - 5] + 2.0 * cells[k - 1] + cells[k + 3];
    float south = cells[k + 3] + 2.0 * cells[k + 4] + cells[k + 5];
    float north = cells[k - 5] + 2.0 * cells[k - 4] + cells[k - 3];
    return vec2(east - west, south - north) / 8.0;
}

struct ground_point {
    float value;  /* as shown */
    float smooth_value;
    vec2 slope;   /* metres per metre; of the cell, if sharp */
    vec2 gradient; /* of the smooth value */
};

ground_point look_at(vec2 at, float near)
{
    vec2 u = to_level(at, level), f = fract(u);
    gather(ivec2(floor(u)), near);
    float size_of_cell = cell * exp2(float(level));
    ground_point p;
    p.smooth_value = mix(mix(cells[5], cells[6], f.x), mix(cells[9], cells[10], f.x), f.y);
    p.gradient = mix(mix(horn(5), horn(6), f.x), mix(horn(9), horn(10), f.x), f.y) / size_of_cell;
    p.value = sharp != 0 ? near : p.smooth_value;
    int nearest = 5 + int(f.x >= 0.5) + 4 * int(f.y >= 0.5);
    p.slope = sharp != 0 ? horn(nearest) / size_of_cell : p.gradient;
    return p;
}

float shade(vec2 slope)
{
    vec3 normal = normalize(vec3(-slope * exaggeration, 1.0));
    /* A second, weak light from the other side keeps form in the shadows. */
    float main_light = max(dot(normal, sun), 0.0);
    float fill = max(dot(normal, normalize(vec3(-sun.xy, sun.z * 1.5 + 0.4))), 0.0);
    return main_light * 0.86 + fill * 0.16;
}

vec3 mask_colour(float v)
{
    if (v < range.x - 1e-4 * (range.y - range.x))
        return mix(vec3(0.16, 0.34, 0.86), vec3(0.05, 0.10, 0.45), clamp((range.x - v) / (range.y - range.x), 0.0, 1.0));
    if (v > range.y + 1e-4 * (range.y - range.x))
        return mix(vec3(0.95, 0.42, 0.20), vec3(0.65, 0.05, 0.10), clamp((v - range.y) / (range.y - range.x), 0.0, 1.0));
    return palette_colour(scale_at(v));
}

vec3 direction_colour(vec2 v)
{
    float angle = atan(v.y, v.x) / 6.28318531;
    vec3 hue = clamp(abs(fract(angle + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return mix(vec3(0.10), mix(vec3(0.75), hue, 0.75), clamp(length(v) / largest, 0.0, 1.0));
}

vec3 checker(vec2 pixel)
{
    ivec2 square = ivec2(pixel) >> 3;
    return vec3(((square.x ^ square.y) & 1) == 0 ? 0.36 : 0.44);
}

vec3 hole_colour(vec2 pixel)
{
    return mix(vec3(0.07, 0.07, 0.08), vec3(0.13, 0.10, 0.11), step(0.5, fract((pixel.x + pixel.y) / 12.0)));
}

/* Lines of constant width on the screen; each fifth is stronger. */
vec3 draw_contours(vec3 c, ground_point p)
{
    float per_pixel = length(p.gradient) * abs(step_cells.x) * cell;
    if (per_pixel < 1e-7 * contours || per_pixel > 0.35 * contours)
        return c; /* flat, or no room between them */
    float n = p.smooth_value / contours;
    float away = abs(fract(n + 0.5) - 0.5) * contours / per_pixel;
    bool major = mod(floor(n + 0.5), 5.0) == 0.0;
    float crowded = 1.0 - smoothstep(0.12, 0.35, per_pixel / contours);
    float line = (1.0 - smoothstep(major ? 0.6 : 0.25, major ? 1.5 : 1.1, away)) * (major ? 0.62 : 0.38);
    vec3 ink = dot(c, vec3(0.3, 0.6, 0.1)) > 0.09 ? vec3(0.07, 0.05, 0.03) : vec3(0.75, 0.72, 0.68);
    return mix(c, ink, line * crowded);
}

vec4 texel(ivec2 at)
{
    return texelFetch(ground, clamp(at, ivec2(0), size - 1), 0);
}

vec4 texel_between(vec2 at)
{
    if (sharp != 0)
        return texel(ivec2(floor(at + 0.5)));
    vec2 f = fract(at);
    ivec2 i = ivec2(floor(at));
    return mix(mix(texel(i), texel(i + ivec2(1, 0)), f.x), mix(texel(i + ivec2(0, 1)), texel(i + 1), f.x), f.y);
}

vec3 field_colour(vec2 at, vec2 pixel)
{
    float near = height_at(ivec2(floor(to_level(at, level) + 0.5)), level);
    if (near < HOLE)
        return hole_colour(pixel);
    ground_point p = look_at(at, near);
    vec3 c;
    if (mode == MASK)
        c = mask_colour(p.value);
    else if (mode == SLOPE)
        c = palette_colour(scale_at(degrees(atan(length(p.slope)))));
    else if (mode == HILLSHADE)
        c = vec3(pow(shade(p.slope), 0.8));
    else
        c = palette_colour(scale_at(p.value));
    if (mode == SHADED)
        c = clamp(c * (0.30 + 1.05 * shade(p.slope)), 0.0, 1.0);
    return contours > 0.0 ? draw_contours(c, p) : c;
}

void main()
{
    vec2 pixel = gl_FragCoord.xy + part_at;
    vec2 at = origin + pixel * step_cells;
    if (any(lessThan(at, vec2(-0.5))) || any(greaterThan(at, vec2(size) - 0.5))) {
        colour = vec4(background, 1.0);
        return;
    }
    if (channels == 1) {
        colour = vec4(field_colour(at, pixel), 1.0);
        return;
    }
    vec4 v = texel_between(at);
    if (v.x < HOLE)
        colour = vec4(hole_colour(pixel), 1.0);
    else if (channels == 2)
        colour = vec4(direction_colour(v.xy), 1.0);
    else
        colour = vec4(mix(checker(pixel), clamp(v.rgb, 0.0, 1.0), clamp(v.a, 0.0, 1.0)), 1.0);
}
