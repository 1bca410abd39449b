// The walls of the gorges that connected what was closed: steeper than `gorge_walls` only where the ground was, and the
// farther from the gorge, the less is taken away. They grow by one cell with every dispatch. A cell stays above the one
// for which it is lowered, so that all goes on draining.
#include "lib/constraint_erosion.glsl"

const float LEAST = 0.1; // of a cell's width: less is not taken away
// Lengths over which what is taken away falls to 1/e. With iterations given, the shorter one counts, so that few dispatches
// suffice.
const float REFERENCE_CELLS = 4.0, CELLS = 8.0;

bool is_lowered(ivec2 p)
{
    return oro_inside(p) && before[oro_index(p)] < height[oro_index(p)];
}

// How far that is, in cells.
float fade()
{
    float even = REFERENCE_CELLS * params.reference_cell / grid.cell;
    return params.iterations > 0 ? min(even, CELLS) : even;
}

// The height to which `there`, if it is lowered, lets the ground `away` cells from it stand.
float offer(int i, int there, float away)
{
    float foot = total_height(before[there]), was = total_height(height[there]);
    float steep = tan(radians(params.gorge_walls)) * grid.cell * away;
    float depth = (was - foot) * exp(-away / fade());
    float h = max(foot + max(steep, height[i] - was), height[i] - depth);
    return depth > LEAST * grid.cell && h > foot ? h : before[i];
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p), lowered = 0;
    for (int k = 0; k < 9; k++)
        if (k != 4 && is_lowered(p + ivec2(k % 3, k / 3) - 1))
            lowered |= 1 << k;
    float h = before[i], lowest = h;
    for (int k = 0; lowered >> k != 0; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1;
        if ((lowered >> k & 1) != 0)
            lowest = min(lowest, offer(i, oro_index(p + d), length(vec2(d))));
    }
    if (h - lowest > LEAST * grid.cell)
        flags[0] = 1u;
    else
        lowest = h;
    after[i] = lowest;
}
