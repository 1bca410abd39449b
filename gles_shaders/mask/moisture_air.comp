/* Air on its way over the raster, a line of it in each invocation: what water it has, and how much falls as rain. */

#include "lib/air.glsl"
#include "lib/wind.glsl"

const float FASTER_OVER_WATER = 4.0;

/* Elevation above the sea, and whether it is water. Beyond the border there is what is at the edge. */
vec2 ground(int i, int side)
{
    ivec2 p = cell_at(i, side);
    return vec2(above_sea(terrain_at(p)), wet_at(p));
}

void main()
{
    int line = oro_cell().x;
    if (line >= int(pass.lines))
        return;
    float water = 1.0, rain = 0.0;
    for (int i = 0; i < steps(); i++) {
        float shift = drifted(i);
        int side = line + int(pass.first) + int(floor(shift));
        vec2 below = mix(ground(i, side), ground(i, side + 1), fract(shift));
        float most = capacity(below.x), before = i == 0 ? most : water;
        /* What condenses, expressed as the slope up which air from the sea would lose as much. */
        float lifted = max(before - most, 0.0) * params.scale_height / pass.step;
        float left = exp(-mix(1.0, FASTER_OVER_WATER, below.y) * pass.step / params.recovery);
        water = min(mix(1.0, before, left), most);
        rain = mix(lifted, rain, pass.carried);
        if (side >= -1 && side < breadth())
            air[air_index(i, side)] = vec2(water, rain);
    }
}
