// Turns the receivers round along the way through a group, which routing_walk.comp has found,
// if it has found all.
#include "lib/rounds.glsl"
#include "lib/tiles.glsl"

void main()
{
    uint group = own_slot(), at = entry[group];
    if (at == NONE || !all_is_joined() || flags[int(pass.flag)] != 0u)
        return;
    uint from = entry_to[group], last = end[group];
    for (int k = 0; k < TILE * TILE; k++) {
        uint below = next[at];
        next[at] = from;
        if (at == last)
            return;
        from = at;
        at = below;
    }
}
