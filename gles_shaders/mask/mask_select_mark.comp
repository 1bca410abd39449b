/* Marks the cells of a mask, for the distance to them: each starts with its own row as the nearest. */
#include "lib/number.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        nearest[oro_index(p)] = is_number(from_at(p)) && from_at(p) > 0.5 ? p.y : -1;
}
