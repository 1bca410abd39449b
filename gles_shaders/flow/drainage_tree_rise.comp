// How much higher than the outlet the channels are for the length of their ways alone.
#include "lib/grade.glsl"
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    drop[cell] = grade_rise(grade[cell], drop[cell]);
}
