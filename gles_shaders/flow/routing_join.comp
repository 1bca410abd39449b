// Every component chooses the one across its lowest saddle; of two that choose the same, the lower number stays a root. The
// basins of a component hang together by their exits, which lead to its root. As the component gets an exit of its own,
// those on the way from that exit's basin to the root are turned round: exit_to[] is the basin that an exit leads to. A long
// walk goes on in another dispatch: level[] is the basin it is at, brought[] the exit it brings there.
#include "lib/rounds.glsl"
#include "lib/tiles.glsl"

uint basin_of(uint group)
{
    return group == NONE ? NONE : rim[group];
}

void main()
{
    uint own = own_slot();
    if (component[own] != own || before_is_unfinished())
        return;
    bool first = pass.first != 0.0;
    if (!first && level[own] == NONE) // its walk is over
        return;
    if (level[own] == STAYS && number[own] == NONE) {
        link[own] = own;
        return;
    }
    uint with = first ? number[own] : brought[own], at = level[own], to;
    if (with == NONE) { // the ground has no outlet
        link[own] = own;
        return;
    }
    uint a = basin[saddle_first(with)], b = basin[saddle_second(with)];
    if (first) {
        bool from_a = a != NONE && component[a] == own;
        uint beyond = from_a ? b : a, other = beyond == NONE ? NONE : component[beyond];
        bool stays = other != NONE && number[other] == with && own < other;
        link[own] = stays ? own : other;
        at = stays ? NONE : basin_of(from_a ? a : b);
        to = basin_of(beyond);
    } else
        to = basin_of(basin_of(a) == at ? b : a);
    for (int k = 0; k < 512 && at != NONE; k++) {
        uint left = exit[at], left_to = exit_to[at];
        exit[at] = with;
        exit_to[at] = to;
        with = left;
        to = at;
        at = left_to;
    }
    level[own] = at;
    brought[own] = with;
    if (at != NONE)
        flags[int(pass.flag)] = 1u;
}
