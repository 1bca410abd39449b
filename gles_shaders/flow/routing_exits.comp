// The basins of a component hang together by their exits, which lead to its root. As the component gets an exit of its
// own, those on the way from that exit's basin to the root are turned round. A long walk goes on in another dispatch:
// level[] is the basin it is at, number[] the exit it brings there.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    uint own = cell_number(p);
    if (!oro_inside(p) || component[own] != own || link[own] == own || level[own] == NONE)
        return;
    uint at = level[own], brought = number[own];
    for (int k = 0; k < 256 && at != NONE; k++) {
        uint left = exit[at];
        exit[at] = brought;
        brought = left;
        if (left == NONE)
            at = NONE;
        else
            at = basin[saddle_first(left)] == at ? basin[saddle_second(left)] : basin[saddle_first(left)];
    }
    level[own] = at;
    number[own] = brought;
    if (at != NONE)
        flags[int(pass.flag)] = 1u;
}
