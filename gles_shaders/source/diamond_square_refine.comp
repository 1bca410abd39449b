/* All vertices of a level, from those of the level before. */
#include "lib/diamond_square.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        finer[oro_index(p)] = vertex_value(p);
}
