/* An uplift tree at the centre of every cell. */
#include "lib/uplift.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        field_out[oro_index(p)] = uplift_at(oro_position(p));
}
