// Marks which of the cells that are looked at, every `stride` of a row and of a column, have reached the bound of the
// drainage area where water is a sheet, with what comes to a reference cell of it.
#define PHYSICAL_TIME (params.iterations == 0)
#include "lib/stream_power.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        above[oro_index(p)] = area[oro_source_cell(int(pass.stride) * p)] * pass.sheet >= largest_area() ? 1.0 : 0.0;
}
