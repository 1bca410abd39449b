// The reference with detail of the strength that is wanted.
#include "lib/blocks.glsl"

float factor_at_block(ivec2 q)
{
    return factors[oro_source_index(q)];
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    among_blocks at = find_among_blocks(p);
    vec4 wx = b_spline(at.offset.x), wy = b_spline(at.offset.y);
    float factor = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            factor += wy[j] * wx[i] * factor_at_block(at.first + ivec2(i, j));
    float smooth_ground = reference_at(p);
    float added = factor * detail[oro_index(p)], deepest = depth_at(p);
    set_terrain(p, smooth_ground + (deepest > 0.0 ? max(added, -deepest) : added));
}
