/*
 * Air is followed along lines that lie one cell apart. With every step downwind they come to the next column of cells,
 * or the next row where the wind blows rather north or south, and a part of a cell to the side. It is the same for all
 * lines, so in each step one line goes between any two neighbouring cells. What it has there is kept at the place of
 * the first of the two; the very first line goes by before the first cell.
 */

/* The cells of a step downwind, side by side; and how many steps there are. */
int breadth()
{
    return pass.across != 0.0 ? grid.size.x : grid.size.y;
}

int steps()
{
    return pass.across != 0.0 ? grid.size.y : grid.size.x;
}

/* The cell at a step and a place beside the wind, which may lie beyond the border; then the way back. */
ivec2 cell_at(int i, int side)
{
    int along = pass.backward != 0.0 ? steps() - 1 - i : i;
    return pass.across != 0.0 ? ivec2(side, along) : ivec2(along, side);
}

ivec2 place_of(ivec2 p)
{
    ivec2 place = pass.across != 0.0 ? p.yx : p;
    return ivec2(pass.backward != 0.0 ? steps() - 1 - place.x : place.x, place.y);
}

/* How far lines have come to the side after some steps. */
float drifted(int i)
{
    return pass.slant * float(i);
}

int air_index(int i, int side)
{
    return i * (breadth() + 1) + side + 1;
}
