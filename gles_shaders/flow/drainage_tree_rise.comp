// How much higher than the outlet the channels are for the length of their ways alone; and the grade of the ground again,
// which the rounds of grades have overwritten.
#include "lib/grade.glsl"
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    limit[cell] = grade_of(z[cell], base[cell], drop[cell]);
    drop[cell] = grade_rise(grade[cell], drop[cell]);
}
