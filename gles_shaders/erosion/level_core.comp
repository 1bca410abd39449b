// Cells of level ground, such as lakes, fjords and playas: four of one height in a square, some more of that height near by,
// and hardly any ground around that is lower. Treads of a staircase, as files of few levels have them, are lower on one side.
const int NEAR = 3, AROUND = 5;
const int LEAST = 6;  // cells of one height
const int LOWER = 12; // cells, of 11 x 11: where water leaves

float height_at(ivec2 q)
{
    return ground[oro_index(clamp(q, ivec2(0), grid.size - 1))];
}

bool is_square(ivec2 corner, float h)
{
    return height_at(corner) == h && height_at(corner + ivec2(1, 0)) == h && height_at(corner + ivec2(0, 1)) == h &&
           height_at(corner + ivec2(1, 1)) == h;
}

bool is_core(ivec2 p)
{
    float h = height_at(p);
    if (!is_square(p, h) && !is_square(p - ivec2(1, 0), h) && !is_square(p - ivec2(0, 1), h) && !is_square(p - 1, h))
        return false;
    int same = 0, lower = 0;
    for (int y = -AROUND; y <= AROUND; y++)
        for (int x = -AROUND; x <= AROUND; x++) {
            float there = height_at(p + ivec2(x, y));
            lower += int(there < h);
            same += int(there == h && abs(x) <= NEAR && abs(y) <= NEAR);
        }
    return same >= LEAST && lower <= LOWER;
}

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        core[oro_index(p)] = is_core(p) ? 1.0 : 0.0;
}
