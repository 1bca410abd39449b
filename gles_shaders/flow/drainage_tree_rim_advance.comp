// Half a round over the rims, by pointers that reach four times as far after it; sums are copied for the other half,
// drainage_tree_rim_add.comp, to add to. Others need no other half: ways, which are longer by those from where they led to, the
// highest on them, and the lowest step and grades, which are handed on in place: what comes from farther away than it had to
// is right as well. A grade goes as far as it is at `most` the limit of every cell on the way. Slots where nothing comes in
// from another tile are left out: none leads to them.
#include "lib/tiles.glsl"

void main()
{
    uint slot = own_slot(), to = pointer[slot];
#if LOWEST
    int low = lowest[slot];
    if (low == 0x7fffffff)
        to = NONE;
#endif
#if LOWEST || HIGHEST == 2
    uint way_length = ahead[slot];
#endif
#if GRADE
    int own = grade[slot], limit = most[slot];
    if (own == 0x7fffffff)
        to = NONE;
#endif
#if CELLS
    cells_out[slot] = cells[slot];
    if (cells[slot] == 0u)
        to = NONE;
#endif
#if RAIN
    rain_low_out[slot] = rain_low[slot];
    rain_high_out[slot] = rain_high[slot];
#endif
#if HIGHEST == 1
    uint high = highest[slot];
#elif HIGHEST == 2
    int high = highest[slot];
#endif
#if WAY
    uint way_length = way[slot], end = root[slot];
#endif
    for (int hop = 0; hop < HOPS && to != NONE; hop++) {
#if LOWEST
        if (low - int(way_length) < lowest[to])
            atomicMin(lowest[to], low - int(way_length));
#endif
#if GRADE
        if (own <= limit && own < grade[to])
            atomicMin(grade[to], own);
        limit = min(limit, most[to]);
#endif
#if HIGHEST == 1
        high = max(high, highest[to]);
#elif HIGHEST == 2
        high = max(high, highest[to] + int(way_length));
#endif
#if LOWEST || HIGHEST == 2
        way_length += ahead[to];
#endif
#if WAY
        way_length += way[to];
        end = root[to];
#endif
        to = pointer[to];
    }
    pointer_out[slot] = to;
    if (to != NONE)
        flags[int(pass.flag)] = 1u;
#if LOWEST || HIGHEST == 2
    ahead_out[slot] = way_length;
#endif
#if GRADE
    most_out[slot] = limit;
#endif
#if HIGHEST
    highest_out[slot] = high;
#endif
#if WAY
    way_out[slot] = way_length;
    root_out[slot] = end;
#endif
}
