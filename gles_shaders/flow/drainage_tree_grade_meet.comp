// The other half: the grade of a cell from before the round comes to where its pointer from before led to, unless the
// ground on the way there is lower.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = pointer[cell];
    if (to != NONE && grade[cell] <= limit[cell] && grade[cell] < grade_out[to])
        atomicMin(grade_out[to], grade[cell]);
}
