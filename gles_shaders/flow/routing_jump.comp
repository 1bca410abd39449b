// Every pointer of a slot goes to where its pointer's pointer leads, a few times, in place: others may have moved on
// meanwhile, but the end of the chain, which is its own receiver, or nowhere, is the same. The flag stays up until all are
// there.
#include "lib/tiles.glsl"

void main()
{
    uint slot = own_slot(), to = jump[slot];
    for (int k = 0; k < 4 && to != NONE; k++)
        to = jump[to];
    jump[slot] = to;
    if (to != NONE && jump[to] != to)
        flags[int(pass.flag)] = 1u;
}
