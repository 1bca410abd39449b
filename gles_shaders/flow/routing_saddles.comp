// The lowest saddle out of every component: first its level, then, among the saddles of that level, the least number. Those
// within tiles are the candidates of routing_forest.comp; those between tiles are at their rims.
#include "lib/rounds.glsl"
#include "lib/steps.glsl"
#include "lib/tiles.glsl"

#if NUMBERS
void offer(uint owner, uint height, uint saddle_number)
{
    if (owner != NONE && level[owner] == height && saddle_number < number[owner])
        atomicMin(number[owner], saddle_number);
}
#else
void offer(uint owner, uint height, uint saddle_number)
{
    if (owner != NONE && height < level[owner])
        atomicMin(level[owner], height);
}
#endif

void consider(uint a, uint b, uint saddle_number)
{
    if (a == b)
        return;
    uint height = level_of(max(z[saddle_first(saddle_number)], z[saddle_second(saddle_number)]));
    offer(a, height, saddle_number);
    offer(b, height, saddle_number);
}

uint component_at(uint cell)
{
    uint slot = basin[cell];
    return slot == NONE ? NONE : component[slot];
}

void main()
{
    if (before_is_unfinished() || nothing_is_left())
        return;
    uint slot = own_slot(), within = candidate[slot];
    if (within != NONE)
        consider(component_at(saddle_first(within)), component_at(saddle_second(within)), within);
    ivec2 p = own_slot_place();
    if (!oro_inside(p))
        return;
    for (uint k = 0u; k < 4u; k++) {
        ivec2 q = p + SADDLE_STEPS[k];
        if (oro_inside(q) && q / TILE != p / TILE)
            consider(component[slot], component[slot_of(q)], 4u * cell_number(p) + k);
    }
}
