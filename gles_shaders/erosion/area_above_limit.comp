// Marks the cells whose drainage area has reached the bound of stream power.
#define PHYSICAL_TIME (params.iterations == 0)
#include "lib/stream_power.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        above[oro_index(p)] = area[oro_index(p)] >= largest_area() ? 1.0 : 0.0;
}
