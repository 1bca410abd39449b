// A round of solving h = a + b h(receiver): the step to where the pointer leads, and the step from there on, are one.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = pointer[cell];
    float own = a[cell], share = b[cell];
    uint further = NONE;
    if (to != NONE) {
        further = pointer[to];
        own += share * a[to];
        share *= b[to];
    }
    if (further != NONE)
        flags[int(pass.flag)] = 1u;
    pointer_out[cell] = further;
    a_out[cell] = own;
    b_out[cell] = share;
}
