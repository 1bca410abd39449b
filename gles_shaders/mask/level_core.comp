// Cells that may be level ground, such as lakes, fjords and playas: four of one height in a square, and some more of that height
// near by. Treads of a staircase, as files of few levels have them, are lower along one side: more than a river's mouth is.
#include "lib/level.glsl"

const int NEAR = 3, SIDE = 2;
const int LEAST = 6;  // cells of one height
const int LOWER = 10; // cells, of 5 x 5

// Beyond the border nothing is of one height with anything, and nothing is lower.
float height_at(ivec2 q)
{
    return oro_inside(q) ? ground[oro_index(q)] : 3e38;
}

bool is_square(ivec2 corner, float h)
{
    return height_at(corner) == h && height_at(corner + ivec2(1, 0)) == h && height_at(corner + ivec2(0, 1)) == h &&
           height_at(corner + ivec2(1, 1)) == h;
}

float kind_of(ivec2 p)
{
    float h = height_at(p);
    if (!is_square(p, h) && !is_square(p - ivec2(1, 0), h) && !is_square(p - ivec2(0, 1), h) && !is_square(p - 1, h))
        return OTHER;
    int same = 0, lower = 0;
    for (int y = -NEAR; y <= NEAR; y++)
        for (int x = -NEAR; x <= NEAR; x++) {
            float there = height_at(p + ivec2(x, y));
            same += int(there == h);
            lower += int(there < h && max(abs(x), abs(y)) <= SIDE);
        }
    return same < LEAST ? OTHER : lower < LOWER ? CORE : TREAD;
}

void main()
{
    ivec2 p = oro_cell();
    if (oro_inside(p))
        core[oro_index(p)] = kind_of(p);
}
