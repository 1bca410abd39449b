// Every slot gets the component that its own has joined, at the end of a chain of links, which has no saddle yet. Roots
// shorten the chains meanwhile. flags: [flag] a chain was too long to be followed to its end; [flag + 1] a component is left
// that is to be joined.
#include "lib/rounds.glsl"
#include "lib/tiles.glsl"

const int CHAIN = 64;

void main()
{
    if (before_is_unfinished())
        return;
    uint slot = own_slot(), own = component[slot], to = own, further = own == NONE ? NONE : link[own];
    for (int k = 0; k < CHAIN && further != to; k++) {
        to = further;
        further = to == NONE ? NONE : link[to];
    }
    if (further != to)
        flags[int(pass.flag)] = 1u;
    if (own == slot)
        link[slot] = to;
    if (to == slot && level[slot] != STAYS) {
        flags[int(pass.flag) + 1] = 1u;
        level[slot] = NONE;
        number[slot] = NONE;
    }
    merged[slot] = to;
}
