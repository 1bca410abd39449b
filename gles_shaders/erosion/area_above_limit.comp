// Marks which of the cells that are looked at, every `stride` of a row and of a column, have reached the bound of the
// drainage area.
#define PHYSICAL_TIME (params.iterations == 0)
#include "lib/stream_power.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        above[oro_index(p)] = area[oro_source_cell(int(pass.stride) * p)] >= largest_area() ? 1.0 : 0.0;
}
