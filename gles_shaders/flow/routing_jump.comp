// Every pointer goes to where its pointer's pointer leads, a few times, in place: others may have moved on meanwhile, but
// the end of the chain, which is its own receiver, is the same. The flag stays up until all are there. SLOTS: over the
// slots of tiles, where chains may also end nowhere.
#include "lib/tiles.glsl"

void main()
{
    ivec2 p = oro_cell();
#if SLOTS
    uint i = own_slot(), to = jump[i];
#else
    if (!oro_inside(p))
        return;
    uint i = cell_number(p), to = jump[i];
#endif
    for (int k = 0; k < 4 && to != NONE; k++)
        to = jump[to];
    jump[i] = to;
    if (to != NONE && jump[to] != to)
        flags[int(pass.flag)] = 1u;
}
