// The elevation that a state of hydraulic erosion has. Ground that has not changed keeps every bit.
#include "lib/number.glsl"
#include "lib/pipes.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    terrain_out[i] = terrain[i] + metres(cells[i].x - elevation_steps(terrain[i]));
}
