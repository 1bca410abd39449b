// The reference with detail of the strength that is wanted.
#include "lib/bicubic.glsl"

float factor_at_block(ivec2 q)
{
    q = clamp(q, ivec2(0), ivec2(pass.blocks_x, pass.blocks_y) - 1);
    return factors[q.y * int(pass.blocks_x) + q.x];
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 place = (vec2(p) + 0.5) / pass.side - 0.5, whole = floor(place);
    vec4 wx = b_spline(place.x - whole.x), wy = b_spline(place.y - whole.y);
    float factor = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            factor += wy[j] * wx[i] * factor_at_block(ivec2(whole) + ivec2(i - 1, j - 1));
    float smooth_ground = reference_at(p);
    float detail = factor * (terrain_at(p) - smooth_ground), deepest = depth_at(p);
    set_terrain(p, smooth_ground + (deepest > 0.0 ? max(detail, -deepest) : detail));
}
