// One iteration of fluvial erosion: the water moves one cell on, and carves (Schott 2024, eq. 2 and 5).
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
        float carved = params.erodibility * (1.0 - hardness_at(p)) * mask_at(p) *
                       stream_power(law, flows[j].drop, collected[j]);
        height_out[i] = max(strip_height(j) - carved, flows[j].receiver);
        area_out[i] = collected[j];
    }
}
