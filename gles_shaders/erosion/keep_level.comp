// Ground that was level before it got detail is so again, and its shore, where the ground meets that level, lies no lower.
#include "lib/shore.glsl"

vec2 shore_near(ivec2 q)
{
    return shore[oro_source_index(clamp(q, ivec2(0), source.size - 1))];
}

bool is_beside_level(ivec2 q)
{
    bool beside = false;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            beside = beside || is_level(shore_near(q + ivec2(x, y)));
    return beside;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    ivec2 q = ivec2((vec2(p) + 0.5) * vec2(source.size) / vec2(grid.size));
    vec2 here = shore_near(q);
    float h = terrain_at(p), kept = ground[i], effect = mask_at(p);
    bool water = water_at(p) > 0.5, level = is_level(here) || (kept <= here.y && is_beside_level(q));
    if (is_near(here))
        kept = level ? here.y : max(kept, here.y);
    else if (water)
        kept = smooth_ground[i];
    ground[i] = effect < 1.0 ? mix(h, kept, effect) : kept; // exactly: level ground has no steps of rounding
    level_ground[i] = water || level ? 1.0 : 0.0;
}
