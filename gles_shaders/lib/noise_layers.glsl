/* Layers of noise that are fixed to the world, for kernels with the slots `turn` and `lattice`
 * (nodes/lib/noise_layers.h). */
#include "lib/noise.glsl"

/* Lattice coordinates of a place in the raster, in cells, relative to the layer's cell lattice[layer]. */
vec2 layer_place(int layer, vec2 place)
{
    vec4 matrix = turn[2 * layer];
    return vec2(dot(matrix.xy, place), dot(matrix.zw, place)) + turn[2 * layer + 1].xy;
}

/* Sum of gradient noise, every octave `gain` times as strong as the one before, in -1..1. Its layers are `first` and
 * every `each`-th after it. */
float layered_fbm(int first, int each, int octaves, float gain, vec2 place, uint seed)
{
    float sum = 0.0, total = 0.0, strength = 1.0;
    for (int i = 0; i < octaves; i++, strength *= gain) {
        int layer = first + each * i;
        sum += strength * gradient_noise(lattice[layer], layer_place(layer, place), hash(seed + uint(layer)));
        total += strength;
    }
    return sum / total;
}
