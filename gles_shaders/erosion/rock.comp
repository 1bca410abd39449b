// Ground with texture, and how easily it erodes.
#include "lib/blocks.glsl"
#include "lib/noise_layers.glsl"
#include "lib/stream_power.glsl"

const float LOUDNESS = 2.8;       // brings gradient noise to a root mean square of 1
const float FINE_TEXTURE = 0.7;   // of the finer layer, relative to the coarser one
const float LEAST_TEXTURE = 0.15; // of the fall over a cell: with less, water keeps to the eight ways of the grid
const float LEAST_SLOPE = 0.005;  // gentler ground erodes no more easily

vec2 relief_at_block(ivec2 q)
{
    return relief[oro_source_index(q)];
}

vec2 relief_around(ivec2 p)
{
    among_blocks at = find_among_blocks(p);
    vec4 wx = b_spline(at.offset.x), wy = b_spline(at.offset.y);
    vec2 sum = vec2(0.0);
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            sum += wy[j] * wx[i] * relief_at_block(at.first + ivec2(i, j));
    return sum;
}

float layer(int number, ivec2 p)
{
    return LOUDNESS * gradient_noise(lattice[number], layer_place(number, vec2(p) + 0.5), hash(params.seed + uint(number)));
}

// Slopes of this steepness, with water from area_limit, lose `strength` of their fall in an iteration.
float typical_erodibility(float slope)
{
    power_law law = make_power_law();
    float drop = max(slope, LEAST_SLOPE) * grid.cell;
    return params.strength * drop / (params.reference_cell * stream_power(law, drop, law.largest));
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 around = relief_around(p);
    float texture_here = pass.texture == 0.0 ? 0.0 : layer(0, p) + FINE_TEXTURE * layer(1, p);
    float loudness = roughness_at(p) * detail_at(p) * max(around.x, LEAST_TEXTURE * around.y * grid.cell);
    set_terrain(p, terrain_at(p) + loudness * texture_here);
    set_amplitude(p, detail_at(p) * around.x);
    set_erodibility(p, typical_erodibility(around.y) * exp(params.variation * (layer(2, p) + layer(3, p))));
}
