// Components along the shared sides of a part of a terrain stay: their lowest saddles may lie beyond.
#include "lib/patch.glsl"
#include "lib/tiles.glsl"

void main()
{
    uint slot = own_slot();
    ivec2 p = own_slot_place();
    if (oro_inside(p) && on_side(p, int(pass.shared_sides)) && component[slot] != NONE)
        level[component[slot]] = STAYS;
}
