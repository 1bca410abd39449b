// Lowers steps to what the grades ask for, and marks channels that fall by less than they should. With BEYOND, ways may leave
// the part of a terrain, and such channels are only counted.
#ifdef BEYOND
#include "lib/patch.glsl"
#endif
#include "lib/grade.glsl"
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    if (grade[cell] < limit[cell])
        lowest[cell] = min(lowest[cell], step_of(grade_height(grade[cell], base[cell], drop[cell])));
    bool goes_on = next[cell] != cell;
#ifdef BEYOND
    goes_on = goes_on || (on_edge(p) && exits[edge_index(p)] != NO_EXIT);
#endif
    bool channel = grade[cell] < 0 && goes_on && lowest[cell] < step_of(z[cell]);
#ifdef BEYOND
    if (channel)
        atomicAdd(gentle[0], 1u);
#else
    gentle[cell] = channel ? 1.0 : 0.0;
#endif
}
