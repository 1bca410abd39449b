// Makes the pointers to the receivers, before h = a + b h(receiver) is solved.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    pointer[cell] = next[cell] == cell ? NONE : next[cell];
}
