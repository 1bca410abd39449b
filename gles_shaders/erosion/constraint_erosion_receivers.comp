// Step 1: receivers between nodes that are off their cells' middles. jump: the same, but NONE for outlets. The heights
// go on as levels, for constraint_erosion_gorges.comp to lower.
#include "lib/constraint_erosion.glsl"
#include "lib/steps.glsl"

const int SIDE = 18; // a group of 16 x 16 and a ring around it

shared float around[SIDE * SIDE];
shared vec2 offsets[SIDE * SIDE];

void load(ivec2 corner)
{
    for (int i = int(gl_LocalInvocationIndex); i < SIDE * SIDE; i += 256) {
        ivec2 q = corner + ivec2(i % SIDE, i / SIDE);
        bool inside = all(greaterThanEqual(q, ivec2(0))) && all(lessThan(q, grid.size));
        around[i] = inside ? total_height(height[oro_index(q)]) : uintBitsToFloat(0x7f800000u);
        offsets[i] = node_offset(q);
    }
    barrier();
}

void main()
{
    ivec2 p = oro_cell();
    load(oro_group() * 16 - 1);
    if (!oro_inside(p))
        return;
    int at = (int(gl_LocalInvocationID.y) + 1) * SIDE + int(gl_LocalInvocationID.x) + 1;
    uint cell = uint(oro_index(p)), receiver = cell;
    bool wet = under_water(height[cell]);
    float steepest = 0.0;
    for (int k = 0; k < 9 && !wet; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1;
        if (!is_neighbour(d))
            continue;
        int there = at + d.y * SIDE + d.x;
        float drop = around[at] - around[there];
        float slope = drop < 1.17549435e-38 ? 0.0 : drop / length(vec2(d) + (offsets[there] - offsets[at]));
        if (slope > steepest) {
            steepest = slope;
            receiver = uint(oro_index(p + d));
        }
    }
    next[cell] = receiver;
    jump[cell] = receiver == cell && is_outlet(p, height[cell]) ? NONE : receiver;
    carved[cell] = level_of(height[cell]);
    gorge[cell] = 0u;
    level[cell] = NONE;
    number[cell] = NONE;
}
