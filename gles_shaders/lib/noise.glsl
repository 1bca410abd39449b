/*
 * Noise on a lattice of unit squares (of unit triangles for simplex_noise). Values lie in [-1, 1] with mean 0, except
 * where stated. Equal seeds give equal noise.
 *
 * Every function has two forms. `noise(ivec2 cell, vec2 at, uint seed)` takes a lattice cell and a place relative to
 * it, which need not be within the cell: far from the origin this keeps the precision that one float per coordinate
 * would lose. `noise(vec2 x, uint seed)` is for coordinates that are small.
 */
#include "lib/hash.glsl"

/* Moves whole cells from `at` to `cell`, so that `at` lies in [0, 1). */
void noise_reduce(inout ivec2 cell, inout vec2 at)
{
    vec2 whole = floor(at);
    cell += ivec2(whole);
    at -= whole;
}

/* 6 t^5 - 15 t^4 + 10 t^3: first and second derivative vanish at the ends, so slopes have no creases. */
vec2 noise_fade(vec2 t)
{
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

vec2 noise_direction(uint h)
{
    float angle = float(h >> 8u) * (6.28318530718 / 16777216.0);
    return vec2(cos(angle), sin(angle));
}

/* Gradient noise (Perlin 1985, 2002) with unit gradients in any direction. Their sum is at most sqrt(1/2). Value, and
 * derivative by both coordinates. */
vec3 gradient_noise_slope(ivec2 cell, vec2 at, uint seed)
{
    noise_reduce(cell, at);
    uint row = hash(uint(cell.y) + hash(seed)), next = hash(uint(cell.y + 1) + hash(seed));
    uint x = uint(cell.x);
    vec2 a = noise_direction(hash(x + row)), b = noise_direction(hash(x + 1u + row));
    vec2 c = noise_direction(hash(x + next)), d = noise_direction(hash(x + 1u + next));
    vec4 corner = vec4(dot(a, at), dot(b, at - vec2(1.0, 0.0)), dot(c, at - vec2(0.0, 1.0)), dot(d, at - vec2(1.0, 1.0)));
    vec2 t = noise_fade(at), fall = 30.0 * at * at * (at - 1.0) * (at - 1.0);
    float upper = mix(corner.x, corner.y, t.x), lower = mix(corner.z, corner.w, t.x);
    vec2 slope = mix(mix(a, b, t.x), mix(c, d, t.x), t.y);
    slope += fall * vec2(mix(corner.y - corner.x, corner.w - corner.z, t.y), lower - upper);
    return 1.41421356 * vec3(mix(upper, lower, t.y), slope);
}

float gradient_noise(ivec2 cell, vec2 at, uint seed)
{
    return gradient_noise_slope(cell, at, seed).x;
}

float gradient_noise(vec2 x, uint seed)
{
    return gradient_noise(ivec2(0), x, seed);
}

/* Random values at the lattice's corners, with soft steps between them. */
float value_noise(ivec2 cell, vec2 at, uint seed)
{
    noise_reduce(cell, at);
    float a = hash_unit(hash(cell, seed)), b = hash_unit(hash(cell + ivec2(1, 0), seed));
    float c = hash_unit(hash(cell + ivec2(0, 1), seed)), d = hash_unit(hash(cell + ivec2(1, 1), seed));
    vec2 t = noise_fade(at);
    return 2.0 * mix(mix(a, b, t.x), mix(c, d, t.x), t.y) - 1.0;
}

float value_noise(vec2 x, uint seed)
{
    return value_noise(ivec2(0), x, seed);
}

/* Simplex noise (Perlin 2001) lives on triangles: squares of a sheared lattice, cut along a diagonal.
 * SIMPLEX_SKEW leads from the plane to sheared coordinates, SIMPLEX_UNSKEW back: x' = x + (x.x + x.y) * SKEW. */
const float SIMPLEX_SKEW = 0.36602540378;   /* (sqrt(3) - 1) / 2 */
const float SIMPLEX_UNSKEW = 0.21132486541; /* (3 - sqrt(3)) / 6 */
const float SIMPLEX_NORM = 99.204334;       /* the largest sum of the three corners is 1 / 99.204334 */

float simplex_corner(vec2 offset, uint h)
{
    float reach = max(0.5 - dot(offset, offset), 0.0);
    reach *= reach;
    return reach * reach * dot(noise_direction(h), offset);
}

/* `cell` and `at` are in sheared coordinates. */
float simplex_noise(ivec2 cell, vec2 at, uint seed)
{
    noise_reduce(cell, at);
    ivec2 middle = at.x > at.y ? ivec2(1, 0) : ivec2(0, 1);
    vec2 a = at - (at.x + at.y) * SIMPLEX_UNSKEW;
    vec2 b = a - vec2(middle) + SIMPLEX_UNSKEW;
    vec2 c = a - 1.0 + 2.0 * SIMPLEX_UNSKEW;
    float sum = simplex_corner(a, hash(cell, seed)) + simplex_corner(b, hash(cell + middle, seed)) +
                simplex_corner(c, hash(cell + ivec2(1), seed));
    return SIMPLEX_NORM * sum;
}

/* `x` is in the plane. */
float simplex_noise(vec2 x, uint seed)
{
    return simplex_noise(ivec2(0), x + (x.x + x.y) * SIMPLEX_SKEW, seed);
}

/* Takes the points of one lattice cell into the two least squared distances. */
void worley_cell(ivec2 cell, ivec2 away, vec2 at, float jitter, uint seed, inout vec2 nearest)
{
    vec2 point = vec2(away) + 0.5 + jitter * (hash_point(hash(cell + away, seed)) - 0.5);
    float d = dot(point - at, point - at);
    nearest = d < nearest.x ? vec2(d, nearest.x) : vec2(nearest.x, min(nearest.y, d));
}

/* Cellular noise (Worley 1996): distances to the nearest and second nearest of one random point per lattice cell, in
 * cells. Exact: the outer ring of cells is searched where it can matter. jitter 0 puts the points in the cells' centres,
 * 1 anywhere within them. The distances are at most sqrt(2) and sqrt(2.5). */
vec2 worley_noise(ivec2 cell, vec2 at, float jitter, uint seed)
{
    noise_reduce(cell, at);
    vec2 nearest = vec2(1e9);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            worley_cell(cell, ivec2(x, y), at, jitter, seed, nearest);
    vec2 edge = 1.0 + min(at, 1.0 - at);
    float clear = min(edge.x, edge.y);
    if (nearest.y > clear * clear)
        for (int y = -2; y <= 2; y++)
            for (int x = -2; x <= 2; x++)
                if (max(abs(x), abs(y)) == 2)
                    worley_cell(cell, ivec2(x, y), at, jitter, seed, nearest);
    return sqrt(nearest);
}

vec2 worley_noise(vec2 x, float jitter, uint seed)
{
    return worley_noise(ivec2(0), x, jitter, seed);
}

/* Fractal sum of gradient noise: each octave doubles the frequency and halves the amplitude. For details within other
 * kernels; the noise node does this with more care. More than 24 octaves are beyond what a float can tell apart, and are
 * left out. */
float gradient_fbm(vec2 x, int octaves, uint seed)
{
    const mat2 rotation = mat2(1.2, 1.6, -1.6, 1.2); /* doubles, and turns by 53 degrees so that lattices do not align */
    float sum = 0.0, total = 0.0, gain = 1.0;
    for (int i = 0; i < min(octaves, 24); i++) {
        sum += gain * gradient_noise(x, hash(seed + uint(i)));
        total += gain;
        gain *= 0.5;
        x = rotation * x + 17.31;
    }
    return sum / total;
}
