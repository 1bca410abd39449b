// Ground that was level before it got detail is so again, and its shore lies no lower. `surface` is that of the reference,
// whose cells may be larger.
#include "lib/bicubic.glsl"
#include "lib/level.glsl"

vec2 surface_near(ivec2 q)
{
    return surface[oro_source_index(clamp(q, ivec2(0), source.size - 1))];
}

// How far the place lies among level cells, as a smooth surface, so that shores do not show the cells' corners.
float among_level(vec2 place)
{
    ivec2 first = ivec2(floor(place)) - 1;
    vec4 wx = b_spline(fract(place.x)), wy = b_spline(fract(place.y));
    float sum = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            sum += wy[j] * wx[i] * surface_near(first + ivec2(i, j)).x;
    return sum;
}

// Over half a cell of the reference, the ground comes down to the shore: by `above`, as much as the cell there lies above the
// level on average, so that the shore follows the forms of the ground and not the cells; and the rest close to them.
float above_level(float h, float height, float above, float share)
{
    float lowered = h - above * smoothstep(0.0, 0.5, share);
    return share < 0.5 ? max(height, mix(lowered, height, smoothstep(0.25, 0.5, share))) : height;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    vec2 place = (vec2(p) + 0.5) * vec2(source.size) / vec2(grid.size) - 0.5;
    ivec2 nearest = clamp(ivec2(floor(place + 0.5)), ivec2(0), source.size - 1);
    float h = ground[i], effect = mask_at(p), share = among_level(place), height = surface_near(nearest).y;
    bool near = height > NOWHERE, water = water_at(p) > 0.5;
    float kept = near ? above_level(h, height, reference[oro_source_index(nearest)] - height, share) : water ? smooth_ground[i] : h;
    ground[i] = effect < 1.0 ? mix(h, kept, effect) : kept; // exactly: level ground has no steps of rounding
    level_ground[i] = water || (near && share >= 0.5) ? 1.0 : 0.0;
}
