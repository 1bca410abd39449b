// One iteration of fluvial erosion: the water moves one cell on, and carves (Schott 2024, eq. 2 and 5).
#define PHYSICAL_TIME (params.iterations == 0)
#include "lib/water.glsl"
#include "lib/stream_power.glsl"

void main()
{
    flow flows[STRIP];
    float collected[STRIP];
    collect_water(flows, collected);
    power_law law = make_power_law();
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (!oro_inside(p))
            return;
        int i = oro_index(p);
        ground g = ground_at(j);
        float depth = pass.strength * erodibility_at(p) * params.reference_cell; // the paper's unit of length is a cell
        float carved = depth * (1.0 - hardness_at(p)) * mask_at(p) * stream_power(law, g.drop, collected[j]);
#if LIMITED
        float most = depth_at(p);
        if (most > 0.0)
            carved = min(carved, max(g.height - (base[i] - most), 0.0));
#endif
        // A tenth of the drop stays, and a cell that rounding would bring down to its receiver stays: no pit is made.
        float lowered = g.height - min(carved, 0.9 * (g.height - g.receiver));
        height_out[i] = lowered > g.receiver ? lowered : g.height;
        area_out[i] = collected[j];
    }
}
