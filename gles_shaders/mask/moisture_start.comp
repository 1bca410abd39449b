/* Marks water, for the distance to it: each of its cells starts with its own row as the nearest. */

#include "lib/number.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    bool is_water = is_number(terrain_at(p)) && terrain_at(p) <= params.sea_level;
    if (HAS_WATER != 0)
        is_water = is_number(water_at(p)) && water_at(p) > 0.5;
    wet[oro_index(p)] = is_water ? 1.0 : 0.0;
    nearest[oro_index(p)] = is_water ? p.y : -1;
}
