// Half a round of grades coming down, by pointer doubling: pointers reach twice as far, and with them limits, the least on
// the way; grades are copied for the other half, drainage_tree_grade_meet.comp.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = pointer[cell];
    uint further = to == NONE ? NONE : pointer[to];
    pointer_out[cell] = further;
    limit_out[cell] = to == NONE ? limit[cell] : min(limit[cell], limit[to]);
    grade_out[cell] = grade[cell];
    if (further != NONE)
        flags[int(pass.flag)] = 1u;
}
