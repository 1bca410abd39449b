/* Distance to the nearest marked cell, whose column and row are known; without one, the raster's diagonal. */

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int x = column[oro_index(p)];
    float cells = length(vec2(grid.size));
    if (x >= 0) {
        ivec2 away = ivec2(x, nearest[oro_index(ivec2(x, p.y))]) - p;
        cells = sqrt(float(away.x * away.x + away.y * away.y));
    }
    distance_out[oro_index(p)] = cells * grid.cell;
}
