// The surface whose means over the cells of a coarser terrain are its heights (nodes/lib/area_kriging.h).
#include "lib/terrain.glsl"

const int REACH = 3, WIDTH = 7; // ORO_KRIGING_REACH, ORO_KRIGING_WIDTH

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int side = int(pass.side);
    ivec2 q = p / side, part = p - q * side;
    int first = (part.y * side + part.x) * WIDTH * WIDTH;
    float middle = terrain_beyond(q), change = 0.0; // relative to a cell: sums of large numbers lose precision
    for (int j = 0; j < WIDTH; j++)
        for (int i = 0; i < WIDTH; i++)
            change += weights[first + j * WIDTH + i] * (terrain_beyond(q + ivec2(i, j) - REACH) - middle);
    terrain_out[oro_index(p)] = middle + change;
}
