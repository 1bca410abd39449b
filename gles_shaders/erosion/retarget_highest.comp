// For every cell the highest of those around it, along one axis and as far as nodes/erosion/retarget.c has come. Of equal ones the
// one with the lowest number, so that a plateau has one. Cells are numbered by rows of the whole raster.

int number_of(ivec2 p)
{
    return p.y * grid.size.x + p.x;
}

// All that cells hold lies within the radius; what is beyond it is the garbage around a tile, and not looked at.
float height_of(int number, ivec2 p)
{
    ivec2 place = ivec2(number % grid.size.x, number / grid.size.x), away = ivec2(pass.radius);
    return height[oro_nearest_index(clamp(place, p - away, p + away))];
}

int best_at(ivec2 p)
{
    return pass.first != 0.0 ? number_of(p) : highest[oro_index(p)];
}

void take(ivec2 p, ivec2 away, inout int best)
{
    int other = best_at(clamp(p + away, ivec2(0), grid.size - 1));
    float h = height_of(other, p), b = height_of(best, p);
    best = h > b || (h == b && other < best) ? other : best;
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
