// What grades start from: those of the cells at which channels start, because the way was carved from there on; and the
// limit of what comes through the cell, which is the grade of its ground.
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
    if (to != cell && lowest[to] == lowest[cell] - 1 && lowest[to] < step_of(z[to]))
        grade[cell] = grade_of(step_height(max(lowest[cell], STEPS_LOWEST)), base[cell], drop[cell]);
}
