// Ground that was level before it got detail is so again, and its shore lies no lower. `surface` is that of the reference,
// whose cells may be larger.
const float NOWHERE = -1e38;

vec2 surface_near(ivec2 q)
{
    return surface[oro_source_index(clamp(q, ivec2(0), source.size - 1))];
}

// How far the place lies among level cells: the share of the four around it, by nearness.
float among_level(vec2 place)
{
    ivec2 first = ivec2(floor(place));
    vec2 part = place - vec2(first);
    vec2 north = vec2(surface_near(first).x, surface_near(first + ivec2(1, 0)).x);
    vec2 south = vec2(surface_near(first + ivec2(0, 1)).x, surface_near(first + 1).x);
    vec2 column = mix(north, south, part.y);
    return mix(column.x, column.y, part.x);
}

// From the shore on, the ground rises to what it is over half a cell of the reference.
float above_level(float h, float height, float share)
{
    return share < 0.5 ? max(height, mix(h, height, smoothstep(0.0, 0.5, share))) : height;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    vec2 place = (vec2(p) + 0.5) * vec2(source.size) / vec2(grid.size) - 0.5;
    float h = ground[i], effect = mask_at(p), share = among_level(place), height = surface_near(ivec2(floor(place + 0.5))).y;
    bool near = height > NOWHERE, water = water_at(p) > 0.5;
    float kept = near ? above_level(h, height, share) : water ? smooth_ground[i] : h;
    ground[i] = effect < 1.0 ? mix(h, kept, effect) : kept; // exactly: level ground has no steps of rounding
    level_ground[i] = water || (near && share >= 0.5) ? 1.0 : 0.0;
}
