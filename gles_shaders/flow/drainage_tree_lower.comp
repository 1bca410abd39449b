// Lowers steps to what the grades ask for, and marks channels that fall by less than they should.
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
    bool channel = grade[cell] < 0 && next[cell] != cell && lowest[cell] < step_of(z[cell]);
    gentle[cell] = channel ? 1.0 : 0.0;
}
