/* The surface at the cells' centres: between the vertices of the last level, which are not kept. `place` has, for every
 * column and then for every row, the vertex before its centre and the way from there to the next, as the bits of a
 * float. */
#include "lib/diamond_square.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    ivec2 x = place[p.x], y = place[grid.size.x + p.y];
    ivec2 v = ivec2(x.x, y.x);
    vec2 t = intBitsToFloat(ivec2(x.y, y.y));
    float north = mix(vertex_value(v), vertex_value(v + ivec2(1, 0)), t.x);
    float south = mix(vertex_value(v + ivec2(0, 1)), vertex_value(v + ivec2(1, 1)), t.x);
    set_field(p, params.offset + amplitude_at(p) * mix(north, south, t.y));
}
