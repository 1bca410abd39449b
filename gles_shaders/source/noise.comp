/* One value of fractal noise per cell. nodes/source/noise.c says where each octave's lattice lies. */
#include "lib/noise_layers.glsl"

const int OCTAVES_MAX = 16;
const int WARP_OCTAVES = 3;

/* Brings distances to -1..1. Peaks are at the points or, for the difference, in the middle of the plates. */
float cellular(ivec2 cell, vec2 at, uint seed)
{
    vec2 d = worley_noise(cell, at, params.jitter, seed);
    if (params.distance == DISTANCE_NEAREST)
        return 1.0 - d.x * 1.41421356;
    float longest = 0.63245553; /* 1 / sqrt(2.5) */
    return params.distance == DISTANCE_SECOND ? 1.0 - 2.0 * d.y * longest : 2.0 * (d.y - d.x) * longest - 1.0;
}

float layer_noise(int layer, vec2 place)
{
    ivec2 cell = lattice[layer];
    vec2 at = layer_place(layer, place);
    uint seed = hash(params.seed + uint(layer));
    if (params.method == METHOD_PERLIN)
        return gradient_noise(cell, at, seed);
    if (params.method == METHOD_SIMPLEX)
        return simplex_noise(cell, at, seed);
    if (params.method == METHOD_VALUE)
        return value_noise(cell, at, seed);
    return cellular(cell, at, seed);
}

/* Displacement in cells of the raster. */
vec2 warp_shift(vec2 place)
{
    vec2 sum = vec2(0.0);
    float gain = 1.0, total = 0.0;
    for (int i = 0; i < WARP_OCTAVES; i++, gain *= 0.5) {
        for (int axis = 0; axis < 2; axis++) {
            int layer = OCTAVES_MAX + 2 * i + axis;
            uint seed = hash(params.seed + uint(layer));
            sum[axis] += gain * gradient_noise(lattice[layer], layer_place(layer, place), seed);
        }
        total += gain;
    }
    return sum / total * (params.warp / grid.cell);
}

/* Ridges (Musgrave, in Ebert et al., Texturing and Modeling): folded noise, whose detail grows on the crests and not
 * in the valleys. 0..1. */
float ridged(vec2 place)
{
    float sum = 0.0, total = 0.0, gain = 1.0, weight = 1.0;
    for (int i = 0; i < params.octaves; i++, gain *= params.gain) {
        float crest = 1.0 - abs(layer_noise(i, place));
        float signal = crest * crest * weight;
        weight = clamp(2.0 * signal, 0.0, 1.0);
        sum += gain * signal;
        total += gain;
    }
    return sum / total;
}

float summed(vec2 place, bool folded)
{
    float sum = 0.0, total = 0.0, gain = 1.0;
    for (int i = 0; i < params.octaves; i++, gain *= params.gain) {
        float value = layer_noise(i, place);
        sum += gain * (folded ? 2.0 * abs(value) - 1.0 : value);
        total += gain;
    }
    return sum / total;
}

float fractal(vec2 place)
{
    if (params.fractal == FRACTAL_NONE)
        return layer_noise(0, place);
    if (params.fractal == FRACTAL_RIDGED)
        return 2.0 * ridged(place) - 1.0;
    return summed(place, params.fractal == FRACTAL_BILLOW);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 place = vec2(p) + 0.5;
    if (params.warp > 0.0)
        place += warp_shift(place);
    set_field(p, params.offset + amplitude_at(p) * clamp(fractal(place), -1.0, 1.0));
}
