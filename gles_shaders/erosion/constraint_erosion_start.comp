// The heights to keep to, with the noise that keeps rivers from running in parallel on even ground (Lim 2022, 3.1);
// where there is relief that rain wears; and the heights to start from.
#include "lib/hash.glsl"
#include "lib/number.glsl"
#include "lib/terrain.glsl"

const float HILLS = 0.1; // slope of ground that counts as hills

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float noise = (hash_unit(hash(p, hash(params.seed))) - 0.5) * params.roughness * grid.cell;
    float moisture = min(moisture_at(p), 1.0), kept = terrain[i];
    if (kept > params.sea_level)
        kept += noise * moisture;
    constraint[i] = kept;
    relief[i] = kept > params.sea_level ? min(length(gradient(p)) / HILLS, 1.0) * moisture : 0.0;
    float begun = HAS_START != 0 ? start_at(p) : kept;
    height[i] = begun;
    gorge[i] = 0u;
    if (isinf(terrain[i]) || isinf(begun) || !is_number(terrain[i]) || !is_number(begun))
        flags[0] = 1u;
}
