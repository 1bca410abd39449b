// Half a round over the rims, by pointer doubling: pointers reach twice as far, sums are copied for the other half,
// drainage_tree_rim_add.comp, to add to. Others need no other half: ways, which are longer by those from where they led to, the
// highest on them, and the lowest step and grades, which are handed on in place: what comes from farther away than it had to
// is right as well. A grade goes as far as it is at `most` the limit of every cell on the way. Slots where nothing comes in from another tile are left out: none leads to them.
#include "lib/tiles.glsl"

void main()
{
    uint slot = own_slot(), to = pointer[slot];
#if LOWEST
    if (lowest[slot] == 0x7fffffff)
        to = NONE;
#endif
#if GRADE
    if (grade[slot] == 0x7fffffff)
        to = NONE;
#endif
#if CELLS
    if (cells[slot] == 0u)
        to = NONE;
#endif
    uint further = to == NONE ? NONE : pointer[to];
    pointer_out[slot] = further;
    if (further != NONE)
        flags[int(pass.flag)] = 1u;
#if LOWEST
    ahead_out[slot] = to == NONE ? 0u : ahead[slot] + ahead[to];
    int low = lowest[slot] - int(ahead[slot]);
    if (to != NONE && low < lowest[to])
        atomicMin(lowest[to], low);
#endif
#if GRADE
    most_out[slot] = to == NONE ? 0 : min(most[slot], most[to]);
    int own = grade[slot];
    if (to != NONE && own <= most[slot] && own < grade[to])
        atomicMin(grade[to], own);
#endif
#if CELLS
    cells_out[slot] = cells[slot];
#endif
#if RAIN
    rain_low_out[slot] = rain_low[slot];
    rain_high_out[slot] = rain_high[slot];
#endif
#if HIGHEST == 1
    highest_out[slot] = to == NONE ? highest[slot] : max(highest[slot], highest[to]);
#endif
#if HIGHEST == 2
    ahead_out[slot] = to == NONE ? 0u : ahead[slot] + ahead[to];
    highest_out[slot] = to == NONE ? highest[slot] : max(highest[slot], highest[to] + int(ahead[slot]));
#endif
#if WAY
    way_out[slot] = to == NONE ? way[slot] : way[slot] + way[to];
    root_out[slot] = to == NONE ? root[slot] : root[to];
#endif
}
