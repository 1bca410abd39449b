// The walls of the gorges that connected what was closed: steeper than `gorge_walls` only where the ground was, and the
// farther from the gorge, the less is taken away. One cell further with every run. What is lowered stays above what it is
// lowered for, so that all goes on draining.
#include "lib/constrained.glsl"

const float LEAST = 0.01; // metres
const float WIDTH = 6.0;  // reference cells over which what is taken away falls to 1/e

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float h = before[i], lowest = h, steep = tan(radians(params.gorge_walls)) * grid.cell;
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1;
        if (k == 4 || !oro_inside(p + d))
            continue;
        int there = oro_index(p + d);
        float away = length(vec2(d)), foot = total_height(before[there]), was = total_height(height[there]);
        float depth = (was - foot) * exp(-away * grid.cell / (WIDTH * params.reference_cell));
        float offer = max(foot + max(steep * away, height[i] - was), height[i] - depth);
        if (depth > LEAST && offer > foot)
            lowest = min(lowest, offer);
    }
    lowest = h - lowest > LEAST ? lowest : h;
    after[i] = lowest;
    if (lowest < h)
        flags[0] = 1u;
}
