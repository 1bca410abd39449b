// Every slot gets the component that its own has joined, which has no saddle yet. flags: [flag] a link did not lead to a
// root yet; [flag + 1] a component is left that is not the outside.
#include "lib/rounds.glsl"
#include "lib/tiles.glsl"

void main()
{
    if (before_is_unfinished())
        return;
    uint slot = own_slot(), own = component[slot], to = own == NONE ? NONE : link[own];
    if (to != NONE && link[to] != to)
        flags[int(pass.flag)] = 1u;
    if (to == slot) {
        flags[int(pass.flag) + 1] = 1u;
        level[slot] = NONE;
        number[slot] = NONE;
    }
    merged[slot] = to;
}
