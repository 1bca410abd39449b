// Turns the receivers round along the way from a basin's exit down to its pit. Ways of different basins do not meet. A
// long walk goes on in another dispatch: level[] is the cell it is at, number[] the one it comes from.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    uint own = cell_number(p);
    if (!oro_inside(p) || basin[own] != own)
        return;
    uint at = level[own], from = number[own];
    if (pass.first != 0.0) {
        uint a = saddle_first(exit[own]), b = saddle_second(exit[own]);
        bool from_a = basin[a] == own;
        at = from_a ? a : b;
        from = from_a ? b : a;
    }
    for (int k = 0; k < 512 && at != NONE; k++) {
        uint below = next[at];
        next[at] = from;
        from = at;
        at = below == at ? NONE : below;
    }
    level[own] = at;
    number[own] = from;
    if (at != NONE)
        flags[int(pass.flag)] = 1u;
}
