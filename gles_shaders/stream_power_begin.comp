// Where the simulation starts: the terrain, made a little uneven; outlets at the base level.
#include "lib/routing.glsl"
#include "lib/hash.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float h = terrain[oro_index(p)];
    if (is_outlet(p))
        h = params.base == BASE_TERRAIN ? h : base_level_at(p);
    else
        h += mask_at(p) * params.roughness * grid.cell * hash_unit(hash(p, params.seed));
    height[oro_index(p)] = h;
}
