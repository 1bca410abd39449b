// Drainage: in an iteration, water moves one cell on.
#include "lib/water.glsl"

#ifndef TIMES
void main()
{
    flow flows[STRIP];
    float collected[STRIP];
    collect_water(flows, collected);
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (oro_inside(p))
            area_out[oro_index(p)] = collected[j];
    }
}
#else
// Heights stay, so an invocation keeps its strip, and the ways of that.
void main()
{
    flow flows[STRIP];
    float collected[STRIP];
    load_state();
    choose_strip(int(pass.times));
    if (has_strip)
        strip_flows(flows);
    for (int left = int(pass.times); left > 0; left--) {
        if (has_strip)
            put_water_shares(flows);
        barrier();
        if (has_strip) {
            strip_collect(flows, collected);
            add_rain(collected);
        }
        if (left == 1)
            break;
        barrier();
        if (has_strip)
            put_water(collected);
        barrier();
        renew_outside();
    }
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (has_strip && is_written(p))
            area_out[oro_index(p)] = collected[j];
    }
}
#endif
