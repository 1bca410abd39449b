// Where the simulation starts: the terrain, made a little uneven; outlets at the base level. `ground` is what stays.
#include "lib/outlets.glsl"
#include "lib/routing.glsl"
#include "lib/hash.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    bool outlet = is_outlet(p), kept = !(mask_at(p) > 0.0);
    float h = terrain[oro_index(p)];
    if (kept || (outlet && params.base == BASE_TERRAIN))
        h = ground[oro_index(p)];
    else if (outlet)
        h = base_level_at(p);
    else {
        bool drowned = h < base_level_at(p) && h > -1e30; // could not drain; what is no height is left to be complained of
        if (drowned && params.base == BASE_LEVEL)
            h = base_level_at(p);
        h += mask_at(p) * params.roughness * grid.cell * hash_unit(hash(p, params.seed));
    }
    height[oro_index(p)] = h;
}
