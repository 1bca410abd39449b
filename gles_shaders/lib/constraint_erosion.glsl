// What the kernels of constraint erosion share (Lim 2022; terrain/hydrology/constraint_erosion.h has the rules).
#include "lib/hash.glsl"
#include "lib/routing.glsl"

bool under_water(float h)
{
    return h <= params.sea_level;
}

float total_height(float h)
{
    return max(h, params.sea_level);
}

bool is_border(ivec2 p)
{
    return any(equal(p, ivec2(0))) || any(equal(p, grid.size - 1));
}

// Whether a cell without lower neighbours, or under water, is an outlet.
bool is_outlet(ivec2 p, float h)
{
    return under_water(h) || (params.borders != BORDERS_WALLS && is_border(p));
}

// How far a cell's node lies from its middle, in cells.
vec2 node_offset(ivec2 p)
{
    return (hash_point(hash(p, params.seed)) - 0.5) * (0.7 * params.jitter);
}

// EIGHT: all eight neighbours, whatever the input `neighbours` says.
bool is_neighbour(ivec2 step)
{
#ifdef EIGHT
    return step != ivec2(0);
#else
    return step.x == 0 ? step.y != 0 : step.y == 0 || params.neighbours == NEIGHBOURS_8;
#endif
}

// The distance between the nodes of two neighbours, in cells.
float node_distance(ivec2 p, ivec2 q)
{
    return length(vec2(q - p) + (node_offset(q) - node_offset(p)));
}
