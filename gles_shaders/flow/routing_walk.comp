// Walks from every basin's exit down to its pit, from group to group, and leaves in each the cell where the way enters it
// and the one that it is to lead to. Ways of different basins do not meet. A long walk goes on in another dispatch:
// level[] is the cell it is at, number[] the one it comes from.
#include "lib/rounds.glsl"
#include "lib/tiles.glsl"

uint basin_at(uint cell)
{
    uint slot = basin[cell];
    return slot == NONE ? NONE : rim[slot];
}

void main()
{
    uint own = own_slot();
    if (rim[own] != own || !all_is_joined())
        return;
    uint at = level[own], from = number[own];
    if (pass.first != 0.0 && at == STAYS) {
        level[own] = NONE;
        return;
    }
    if (pass.first != 0.0) {
        uint a = saddle_first(exit[own]), b = saddle_second(exit[own]);
        bool from_a = basin_at(a) == own;
        at = from_a ? a : b;
        from = from_a ? b : a;
    }
    for (int k = 0; k < 256 && at != NONE; k++) {
        uint group = basin[at], last = end[group], beyond = next[last];
        entry[group] = at;
        entry_to[group] = from;
        from = last;
        at = beyond == last ? NONE : beyond;
    }
    level[own] = at;
    number[own] = from;
    if (at != NONE)
        flags[int(pass.flag)] = 1u;
}
