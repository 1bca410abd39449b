// Marks land that has a neighbour of its own height, as nearly all cells of a terrain in whole numbers have.

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    bool level = false;
    for (int k = 0; k < 9; k++) {
        ivec2 q = p + ivec2(k % 3, k / 3) - 1;
        bool inside = all(greaterThanEqual(q, ivec2(0))) && all(lessThan(q, grid.size));
        level = level || (k != 4 && inside && terrain[oro_index(q)] == terrain[oro_index(p)]);
    }
    stepped[oro_index(p)] = level && sea_at(p) <= 0.5 ? 1.0 : 0.0;
}
