// The state that hydraulic erosion starts from: the terrain, with the water and the sediment that are given.
#include "lib/number.glsl"
#include "lib/pipes.glsl"

int depth_steps(float metres)
{
    return steps(round(max(guarded(metres), 0.0) * pass.metre));
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p), ground = elevation_steps(terrain[i]);
    bool sea = params.borders == BORDERS_SEA_LEVEL && HAS_WATER == 0;
    int sediment = depth_steps(sediment_at(p)), water = depth_steps(water_at(p));
    water = sea ? max(int(pass.sea) - ground, 0) : water;
    water = params.exchange ? max(water, sediment) : water;
    cells_out[i] = ivec4(ground, water, sediment, floatBitsToInt(1.0 - guarded(hardness_at(p))));
    pipes_out[i] = pipes_type(0.0);
    ahead_out[i] = 0;
    bed_out[i] = ground;
    gone_out[i] = ivec4(0);
}
