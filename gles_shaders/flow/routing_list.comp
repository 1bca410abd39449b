// Lists the saddles that are left between components: level, number, and the components of both cells, in any order, behind
// their count. What there is no room for is counted alone.
#include "lib/steps.glsl"
#include "lib/tiles.glsl"

uint component_at(uint cell)
{
    uint slot = basin[cell];
    return slot == NONE ? NONE : component[slot];
}

void put(uint a, uint b, uint saddle_number)
{
    if (a == b)
        return;
    uint at = atomicAdd(list[0], 1u);
    if (at >= uint(pass.room))
        return;
    uint first = 4u * at + 1u;
    list[first] = level_of(max(z[saddle_first(saddle_number)], z[saddle_second(saddle_number)]));
    list[first + 1u] = saddle_number;
    list[first + 2u] = a;
    list[first + 3u] = b;
}

void main()
{
    uint slot = own_slot(), within = candidate[slot];
    if (within != NONE)
        put(component_at(saddle_first(within)), component_at(saddle_second(within)), within);
    ivec2 p = own_slot_place();
    if (!oro_inside(p))
        return;
    for (uint k = 0u; k < 4u; k++) {
        ivec2 q = p + SADDLE_STEPS[k];
        if (oro_inside(q) && q / TILE != p / TILE)
            put(component[slot], component[slot_of(q)], 4u * cell_number(p) + k);
    }
}
