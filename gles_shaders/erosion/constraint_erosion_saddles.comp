// The lowest saddle out of every basin: first its level, then, among the saddles of that level, the least number.
// STRIDE: 1, or 2 for the straight ways alone.
#include "lib/routing.glsl"
#include "lib/steps.glsl"

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

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), own = jump[cell], here = level_of(z[cell]);
    for (uint k = 0u; k < 4u; k += STRIDE) {
        ivec2 q = p + SADDLE_STEPS[k];
        if (!oro_inside(q))
            continue;
        uint other = jump[cell_number(q)];
        if (other == own)
            continue;
        uint height = max(here, level_of(z[cell_number(q)]));
        offer(own, height, 4u * cell + k);
        offer(other, height, 4u * cell + k);
    }
}
