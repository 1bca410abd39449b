/* Looks up each cell where it comes from. Places are kept as a whole cell and the way from its centre, so that ground
 * which is not moved keeps its bits. */
#include "lib/bicubic.glsl"
#include "lib/edges.glsl"
#include "lib/noise_layers.glsl"

/* Between the centres of cells; `away` from that of p, in cells. */
#define BETWEEN(kind, read, p, away)                                                      \
    vec2 whole = floor(away), t = away - whole;                                           \
    ivec2 q = p + ivec2(whole);                                                           \
    kind nw = read(within_edges(q)), ne = read(within_edges(q + ivec2(1, 0)));            \
    kind sw = read(within_edges(q + ivec2(0, 1))), se = read(within_edges(q + ivec2(1))); \
    return t == vec2(0.0) ? nw : mix(mix(nw, ne, t.x), mix(sw, se, t.x), t.y);

float amplitude_between(ivec2 p, vec2 away)
{
    if (HAS_AMPLITUDE == 0)
        return params.amplitude;
    BETWEEN(float, amplitude_at, p, away)
}

/* How far the ground that ends up at a place is moved, x to the east and y to the south. */
vec2 vector_between(ivec2 p, vec2 away)
{
    BETWEEN(vec2, vector_at, p, away)
}

vec2 compass_at(ivec2 p)
{
    float angle = radians(direction_at(p));
    return vec2(sin(angle), -cos(angle));
}

vec2 compass_between(ivec2 p, vec2 away)
{
    if (HAS_DIRECTION == 0)
        return compass_at(p);
    BETWEEN(vec2, compass_at, p, away)
}

vec2 way(ivec2 p, vec2 away)
{
    if (params.method == METHOD_DIRECTION)
        return compass_between(p, away);
    if (HAS_VECTOR != 0 && params.method == METHOD_VECTOR)
        return vector_between(p, away);
    vec2 place = vec2(p) + 0.5 + away;
    uint seed = hash(params.seed);
    return vec2(layered_fbm(0, 2, params.octaves, params.gain, place, seed),
                layered_fbm(1, 2, params.octaves, params.gain, place, seed));
}

/* Relative to the nearest cell: sums of large numbers lose precision. */
float ground_at(ivec2 p, vec2 away)
{
    vec2 whole = floor(away), t = away - whole;
    ivec2 q = p + ivec2(whole);
    vec4 wx = catmull_rom(t.x), wy = catmull_rom(t.y);
    float middle = terrain_at(within_edges(q)), change = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            change += wy[j] * wx[i] * (terrain_at(within_edges(q + ivec2(i - 1, j - 1))) - middle);
    return middle + change;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 away = vec2(0.0);
    float strength = mask_at(p) / grid.cell;
    for (int i = 0; i < params.iterations; i++) {
        away -= strength * amplitude_between(p, away) * way(p, away);
        away = clamp(away, vec2(-1e6), vec2(1e6));
    }
    terrain_out[oro_index(p)] = ground_at(p, away);
}
