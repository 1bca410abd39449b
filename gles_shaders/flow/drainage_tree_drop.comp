// How low the outlet of a cell is carved, and how much a channel with the least gradient loses on its way there.
#include "lib/routing.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    base[cell] = step_height(max(lowest[root[cell]], STEPS_LOWEST));
    drop[cell] = pass.unit * float(way[cell]);
}
