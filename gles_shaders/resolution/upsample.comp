/* Smooth surface through the cells of a coarser terrain. */
#include "lib/bicubic.glsl"
#include "lib/terrain.glsl"

vec4 weights(float t)
{
    if (params.method == METHOD_CATMULL_ROM)
        return catmull_rom(t);
    return params.method == METHOD_B_SPLINE ? b_spline(t) : vec4(0.0, 1.0 - t, t, 0.0);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 place = (vec2(p) + 0.5) * (vec2(source.size) / vec2(grid.size)) - 0.5;
    vec2 whole = floor(place);
    ivec2 q = ivec2(whole);
    vec4 wx = weights(place.x - whole.x), wy = weights(place.y - whole.y);
    float middle = terrain_beyond(q), change = 0.0; /* relative to a cell: sums of large numbers lose precision */
    for (int j = 0; j < 4; j++) {
        float row = 0.0;
        for (int i = 0; i < 4; i++)
            row += wx[i] * (terrain_beyond(q + ivec2(i - 1, j - 1)) - middle);
        change += wy[j] * row;
    }
    set_terrain(p, middle + change);
}
