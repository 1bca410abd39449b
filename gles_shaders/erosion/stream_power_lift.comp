// How fast the ground rises, for its mean.
#include "lib/incision.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        lifted[oro_index(p)] = lift(p);
}
