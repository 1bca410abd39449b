// What grades start from: those of the cells at which channels start, because the way was carved from there on; and the
// limit of what comes through the cell, which is the grade of its ground. With BEYOND, where the way leaves a part of a
// terrain, ground and lowest step of the cell there are beyond_ground[] and beyond_low[].
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
    uint cell = cell_number(p), to = next[cell];
    limit[cell] = grade_of(z[cell], base[cell], drop[cell]);
    grade[cell] = GRADE_NONE;
    bool goes_on = to != cell;
    int low = lowest[to];
    float ground = z[to];
#ifdef BEYOND
    if (on_edge(p) && exits[edge_index(p)] != NO_EXIT) {
        goes_on = true;
        low = beyond_low[edge_index(p)];
        ground = beyond_ground[edge_index(p)];
    }
#endif
    if (goes_on && low == lowest[cell] - 1 && low < step_of(ground))
        grade[cell] = grade_of(step_height(max(lowest[cell], STEPS_LOWEST)), base[cell], drop[cell]);
}
