// Steepest receivers; outlets and pits are their own. flags[0]: a height is not a number; [1]: there is an outlet; [2]:
// there is a pit.
#include "lib/outlets.glsl"
#include "lib/routing.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), receiver = cell;
    float here = plain_height(z[cell]), steepest = 0.0;
    if ((floatBitsToUint(z[cell]) & 0x7f800000u) == 0x7f800000u)
        flags[0] = 1u;
    bool outlet = is_outlet(p);
    for (int k = 0; k < 9 && !outlet; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1, q = p + d;
        if (k == 4 || !oro_inside(q))
            continue;
        float drop = here - plain_height(z[oro_index(q)]);
        float slope = drop < 1.17549435e-38 ? 0.0 : d.x != 0 && d.y != 0 ? drop * 0.70710678 : drop;
        if (slope > steepest) {
            steepest = slope;
            receiver = cell_number(q);
        }
    }
    if (outlet)
        flags[1] = 1u;
    else if (receiver == cell)
        flags[2] = 1u;
    next[cell] = receiver;
    jump[cell] = receiver;
}
