// Adds what is missing to the blocks' means as a smooth surface (nodes/lib/blocks.h).
#include "lib/blocks.glsl"

float missing_at_block(ivec2 q)
{
    return missing[oro_source_index(q)];
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    among_blocks at = find_among_blocks(p);
    vec4 wx = b_spline(at.offset.x), wy = b_spline(at.offset.y);
    float pull = 0.0;
    for (int j = 0; j < 4; j++) {
        float row = 0.0;
        for (int i = 0; i < 4; i++)
            row += wx[i] * missing_at_block(at.first + ivec2(i, j));
        pull += wy[j] * row;
    }
    pull *= mask_at(p);
    int i = oro_index(p);
    float h = ground[i], lifted = h + pull;
#if CEILING
    if (pull > 0.0 && h < ceiling[i]) // just below it, where the next sweep finds it below
        lifted = max(h, min(lifted, ceiling[i] - 2.4e-7 * abs(ceiling[i])));
#endif
    ground[i] = lifted;
}
