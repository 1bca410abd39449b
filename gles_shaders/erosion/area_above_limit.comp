// Marks which of the sampled cells, every `stride` of a row and of a column, have reached the bound of the drainage area, by
// the share that a reference cell gets of water that is a sheet.
#define PHYSICAL_TIME (params.iterations == 0)
#include "lib/stream_power.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        above[oro_index(p)] = area[oro_source_cell(int(pass.stride) * p)] * pass.sheet >= largest_area() ? 1.0 : 0.0;
}
