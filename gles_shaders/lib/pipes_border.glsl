// Where water leaves over the border. Needs the slot `terrain`, the ground at the start.
#include "lib/border.glsl"

// How high the surface is that it leaves to, beyond a cell at the border: the base level, or the sea.
int level_beyond(ivec2 edge, ivec2 outwards)
{
    ivec2 last = grid.size - 1;
    float at_edge = terrain[oro_index(edge)], next = terrain[oro_index(clamp(edge - outwards, ivec2(0), last))];
    float second = terrain[oro_index(clamp(edge - 2 * outwards, ivec2(0), last))];
    int beyond = elevation_steps(ground_beyond(at_edge, next, second));
    return params.borders == BORDERS_SEA_LEVEL ? max(beyond, int(pass.sea)) : beyond;
}
