// One step of drainage.
#include "lib/water.glsl"

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
