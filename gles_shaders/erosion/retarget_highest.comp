// For every cell the highest of those around it, along one axis and as far as nodes/erosion/retarget.c has come. Of equal ones the
// one with the lowest number, so that a plateau has one. Cells are numbered by rows of the whole raster, modulo 2^32: how far two
// numbers of cells lie apart tells which comes first, and where, as 2^31 cells are more than the rows within the radius have.

int number_of(ivec2 p)
{
    return p.y * grid.size.x + p.x;
}

ivec2 place_of(int number, ivec2 p)
{
    int from_row = number - number_of(p) + p.x, width = grid.size.x;
    int rows = from_row < 0 ? -((width - 1 - from_row) / width) : from_row / width;
    return ivec2(from_row - rows * width, p.y + rows);
}

// All that cells hold lies within the radius; what is beyond it is the garbage around a tile, and not looked at.
float height_of(int number, ivec2 p)
{
    ivec2 away = ivec2(pass.radius);
    return height[oro_nearest_index(clamp(place_of(number, p), p - away, p + away))];
}

int best_at(ivec2 p)
{
    return pass.first != 0.0 ? number_of(p) : highest[oro_index(p)];
}

void take(ivec2 p, ivec2 away, inout int best)
{
    int other = best_at(clamp(p + away, ivec2(0), grid.size - 1));
    float h = height_of(other, p), b = height_of(best, p);
    best = h > b || (h == b && other - best < 0) ? other : best;
}

void main()
{
    ivec2 p = oro_cell(), away = ivec2(pass.east, pass.south);
    if (!oro_inside(p))
        return;
    int best = best_at(p);
    take(p, -away, best);
    take(p, away, best);
    highest_out[oro_index(p)] = best;
}
