/* Distance to the nearest marked cell, whose column and row are known, or the square of the distance in cells;
 * without one, the raster's diagonal. */
#include "lib/distance_square.glsl"

// -1: there is none.
float squared_at(ivec2 p)
{
#if SQUARES
    /* nodes/lib/distance_squares.h: those beyond 31 bits are floats of the opposite sign. */
    int squared = squares[oro_index(p)];
    return squared < -1 ? -intBitsToFloat(squared) : float(squared);
#else
    int x = column[oro_index(p)];
    if (x < 0)
        return -1.0;
    return distance_square_value(distance_square(ivec2(x, nearest[oro_index(ivec2(x, p.y))]) - p));
#endif
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float squared = squared_at(p);
    float cells = squared < 0.0 ? length(vec2(grid.size)) : sqrt(squared);
    distance_out[oro_index(p)] = cells * grid.cell;
}
