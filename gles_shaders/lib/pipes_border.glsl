// Where water leaves over the border. Needs the ground at the start: the slot `terrain`; or the second of `fallen`, which
// spares the kernel a buffer.
#include "lib/border.glsl"

float ground_at_start(ivec2 q)
{
#ifdef RAIN_VARIES
    return intBitsToFloat(fallen[oro_index(q)].y);
#else
    return terrain[oro_index(q)];
#endif
}

// How high the surface is that it leaves to, beyond a cell at the border: the base level, or the sea.
int level_beyond(ivec2 edge, ivec2 outwards)
{
    ivec2 last = grid.size - 1;
    float at_edge = ground_at_start(edge), next = ground_at_start(clamp(edge - outwards, ivec2(0), last));
    float second = ground_at_start(clamp(edge - 2 * outwards, ivec2(0), last));
    int beyond = elevation_steps(ground_beyond(at_edge, next, second));
    return params.borders == BORDERS_SEA_LEVEL ? max(beyond, int(pass.sea)) : beyond;
}
