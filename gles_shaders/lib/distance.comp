/* Distance to the nearest marked cell, whose column and row are known, or the square of the distance in cells;
 * without one, the raster's diagonal. */

// -1: there is none.
int squared_at(ivec2 p)
{
#if SQUARES
    return squares[oro_index(p)];
#else
    int x = column[oro_index(p)];
    if (x < 0)
        return -1;
    ivec2 away = ivec2(x, nearest[oro_index(ivec2(x, p.y))]) - p;
    return away.x * away.x + away.y * away.y;
#endif
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int squared = squared_at(p);
    float cells = squared < 0 ? length(vec2(grid.size)) : sqrt(float(squared));
    distance_out[oro_index(p)] = cells * grid.cell;
}
