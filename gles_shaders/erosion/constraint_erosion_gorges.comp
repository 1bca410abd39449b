// Step 3: every minimum carves towards the basin across its lowest saddle. Where paths meet, the lowest height counts and the
// largest weight, so that their order does not matter.
#include "lib/constraint_erosion.glsl"
#include "lib/steps.glsl"

float step_length(uint from, uint to)
{
    return node_distance(place_of(from), place_of(to));
}

// From `cell` down to the end of its receivers: the way's length, and the end.
float way_down(uint cell, out uint end)
{
    float length_so_far = 0.0;
    for (uint to = next[cell]; to != cell; to = next[cell]) {
        length_so_far += step_length(cell, to);
        cell = to;
    }
    end = cell;
    return length_so_far;
}

// Carves from `cell` down, which is `s` of the whole path from its beginning; `forward` is 1 if s rises on the way.
void carve(uint cell, float s, float forward, vec2 ends, float whole, float weight)
{
    for (;;) {
        float h = height[cell], ideal = mix(ends.x, ends.y, clamp(s / whole, 0.0, 1.0));
        if (h > ideal && !under_water(h))
            atomicMin(carved[cell], level_of(mix(h, ideal, weight)));
        atomicMax(gorge[cell], floatBitsToUint(weight));
        uint to = next[cell];
        if (to == cell)
            return;
        s += forward * step_length(cell, to);
        cell = to;
    }
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint own = uint(oro_index(p));
    if (jump[own] != own || number[own] == NONE || sum[own] == 0u)
        return;
    float drainage = float(sum[own]) * pass.unit;
    float weight = min(params.gorge_strength * exp2(params.gorge_exponent * log2(drainage)), 1.0);
    if (!(weight > 0.0))
        return;
    uint a = saddle_first(number[own]), b = saddle_second(number[own]);
    bool from_a = jump[a] == own;
    uint near = from_a ? a : b, far = from_a ? b : a, minimum, end;
    float up = way_down(near, minimum), over = step_length(near, far), down = way_down(far, end);
    vec2 ends = vec2(height[own], total_height(height[end]));
    if (is_outlet(place_of(end), height[end]))
        ends.y = min(ends.x, ends.y);
    carve(near, up, -1.0, ends, up + over + down, weight);
    carve(far, up + over, 1.0, ends, up + over + down, weight);
}
