// The walls of the gorges that connected what was closed: steeper than `gorge_walls` only where the ground was. One cell
// further with every run. What is lowered stays above what it is lowered for, so that all goes on draining.

#include "lib/constrained.glsl"

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
        float foot = total_height(before[there]), was = height[i] - total_height(height[there]);
        float offer = foot + max(steep * length(vec2(d)), was);
        if (before[there] < height[there] && offer > foot)
            lowest = min(lowest, offer);
    }
    after[i] = lowest;
    if (lowest < h)
        flags[0] = 1u;
}
