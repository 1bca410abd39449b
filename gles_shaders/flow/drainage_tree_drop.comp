// How low the outlet of a cell is carved, and how much a channel with the least gradient loses on its way there. With BEYOND,
// where the way leaves a part of a terrain, both come from beyond: beyond_way[], beyond_base[].
#ifdef BEYOND
#include "lib/patch.glsl"
#endif
#include "lib/routing.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
#ifdef BEYOND
    ivec2 end = place_of(root[cell]);
    if (on_edge(end) && exits[edge_index(end)] != NO_EXIT) {
        base[cell] = beyond_base[edge_index(end)];
        drop[cell] = pass.unit * float(way[cell] + beyond_way[edge_index(end)]);
        return;
    }
#endif
    base[cell] = step_height(max(lowest[root[cell]], STEPS_LOWEST));
    drop[cell] = pass.unit * float(way[cell]);
}
