/*
 * Midpoint displacement (Fournier 1982) over squares that are halved from level to level, in Miller's order (1986):
 * middles of squares first (diamond step), then middles of edges (square step). A vertex is worked out from those of
 * the level before, `coarse`, and its own random number, which depends on its place on the plane alone: the lattice has
 * no border, and no order of evaluation.
 *
 * Vertices count from the north-west one of a level's window, level.xy on the plane. level.zw is how far that lies from
 * the window's corner of the level before, in vertices of this level.
 */
#include "lib/hash.glsl"

/* A random number of mean 0 and variance 1. */
float deviate(ivec2 vertex)
{
    ivec4 level = levels[int(pass.level)];
    uint h = hash(vertex + level.xy, hash(params.seed + uint(pass.level)));
    float u = hash_unit(h);
    if (params.distribution == DISTRIBUTION_UNIFORM)
        return sqrt(12.0) * (u - 0.5);
    float angle = 6.28318530718 * hash_unit(hash(h));
    return sqrt(-2.0 * log(1.0 - u)) * cos(angle); /* Box and Muller 1958; u is below 1 */
}

float coarse_vertex(ivec2 v)
{
    return coarse[oro_source_cell(v)];
}

/* The middle of a square of the level before; `v` is its north-west corner. */
float square_middle(ivec2 v)
{
    float corners = coarse_vertex(v) + coarse_vertex(v + ivec2(1, 0)) + coarse_vertex(v + ivec2(0, 1)) +
                    coarse_vertex(v + ivec2(1, 1));
    return 0.25 * corners + pass.diamond * deviate(2 * v + 1 - levels[int(pass.level)].zw);
}

float vertex_value(ivec2 v)
{
    if (pass.level == 0.0)
        return pass.square * deviate(v);
    ivec2 from_corner = v + levels[int(pass.level)].zw, corner = from_corner >> 1, odd = from_corner & 1;
    if (odd == ivec2(0))
        return coarse_vertex(corner);
    if (odd == ivec2(1))
        return square_middle(corner);
    float ends = coarse_vertex(corner) + coarse_vertex(corner + odd);
    float sides = square_middle(corner) + square_middle(corner - (1 - odd));
    return 0.25 * (ends + sides) + pass.square * deviate(v);
}
