// Step 4, one round; the first reads what the gorges left. The last one applies the value constraints of step 5 as well,
// and gives how far the ground is from the constraint.
#include "lib/constraint_erosion.glsl"
#include "lib/steps.glsl"
#if LAST
#include "lib/constraint_erosion_mean.glsl"
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
