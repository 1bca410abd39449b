// Step 4, one round; the first reads what the gorges left. The last one applies the value constraints of step 5 as well,
// and gives how far the ground is from the constraint.
#include "lib/constraint_erosion.glsl"
#include "lib/steps.glsl"

#if LAST
// B of terrain/hydrology/constraint_erosion.h: bilinear between the sums that the tiles have.
vec2 tile_at(ivec2 t)
{
    ivec2 size = (grid.size + int(pass.tile) - 1) / int(pass.tile);
    t = clamp(t, ivec2(0), size - 1);
    return tiles[t.y * size.x + t.x];
}

float mean_difference(ivec2 p)
{
    vec2 place = (vec2(p) + 0.5) / pass.tile - 0.5, low = floor(place), f = place - low;
    ivec2 t = ivec2(low);
    vec2 north = mix(tile_at(t), tile_at(t + ivec2(1, 0)), f.x);
    vec2 south = mix(tile_at(t + ivec2(0, 1)), tile_at(t + ivec2(1, 1)), f.x);
    vec2 sum = mix(north, south, f.y);
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}
#endif

float ground(uint cell)
{
#if FIRST
    return level_height(carved[cell]);
#else
    return before[cell];
#endif
}

// pow() of what is positive.
float power(float x, float exponent)
{
    return exponent == 1.0 ? x : exponent == 2.0 ? x * x : exp2(exponent * log2(x));
}

float eroded(ivec2 p, uint cell, float h)
{
    uint to = next[cell];
    float drop = h - total_height(ground(to));
    if (to == cell || under_water(h) || !(drop > 0.0) || sum[cell] == 0u)
        return h;
    float slope = drop / (node_distance(p, place_of(to)) * grid.cell);
    float depth = erodibility_at(p) * pass.depth * power(float(sum[cell]) * pass.flow, params.drainage_exponent) *
                  power(slope, params.slope_exponent);
    return depth > 0.0 ? h - min(depth, drop) : h; // also where powers have left the range of floats
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = uint(oro_index(p));
    float h = eroded(p, cell, ground(cell));
#if LAST
    float c = constraint[cell], difference = h - c, strength = value_strength_at(p); // 0 stays 0
    difference -= strength * difference;
    difference += params.broad_strength * (1.0 - strength) * relief[cell] * mean_difference(p);
    after[cell] = difference;
#else
    after[cell] = h;
#endif
}
