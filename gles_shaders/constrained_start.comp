// The heights to keep to, with the noise that keeps rivers from running in parallel on even ground (Lim 2022, 3.1); and
// the heights to start from.
#include "lib/hash.glsl"
#include "lib/number.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float noise = (hash_unit(hash(p, hash(params.seed))) - 0.5) * params.roughness * grid.cell;
    float kept = terrain[i] + noise * moisture_at(p);
    constraint[i] = kept;
#if HAS_START
    float begun = start[i];
#else
    float begun = kept;
#endif
    height[i] = begun;
    gorge[i] = 0u;
    if (isinf(terrain[i]) || isinf(begun) || !is_number(terrain[i]) || !is_number(begun))
        flags[0] = 1u;
}
