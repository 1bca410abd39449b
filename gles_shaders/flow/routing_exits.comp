// The basins of a component hang together by their exits, which lead to its root. As the component gets an exit of its
// own, those on the way from that exit's basin to the root are turned round. A long walk goes on in another dispatch:
// level[] is the basin it is at, number[] the exit it brings there. exit_to[] is the basin that an exit leads to.
#include "lib/tiles.glsl"

uint basin_at(uint cell)
{
    uint slot = basin[cell];
    return slot == NONE ? NONE : rim[slot];
}

void main()
{
    uint own = own_slot();
    if (component[own] != own || link[own] == own || level[own] == NONE)
        return;
    uint at = level[own], brought = number[own], to = basin_at(saddle_first(brought));
    if (to == at)
        to = basin_at(saddle_second(brought));
    for (int k = 0; k < 256 && at != NONE; k++) {
        uint left = exit[at], left_to = exit_to[at];
        exit[at] = brought;
        exit_to[at] = to;
        brought = left;
        to = at;
        at = left_to;
    }
    level[own] = at;
    number[own] = brought;
    if (at != NONE)
        flags[int(pass.flag)] = 1u;
}
