// Level ground is whatever lies near one of its cores, at the same height. Of other cells: the height of the nearest level ground
// that is not higher; of two as near, the higher. Cells that are lower by less than a file's step have some lower ones of the file
// in their mean: theirs is a level just below themselves. Only of level ground it is the cell's own height.
#include "lib/level.glsl"

const int REACH = 6;
const float STEP = 0.5, BELOW = 0.01; // metres

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float h = ground[oro_index(p)], height = nowhere_near(h);
    int nearest = 2 * REACH * REACH + 1;
    bool is_level = false;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            float there = oro_inside(q) && core[oro_index(q)] == CORE ? ground[oro_index(q)] : 3e38;
            int far = x * x + y * y;
            is_level = is_level || there == h;
            if (there <= h + STEP && far <= nearest) {
                float below = min(there, h - BELOW);
                height = far < nearest ? below : max(height, below);
                nearest = far;
            }
        }
    level[oro_index(p)] = is_level ? h : height;
}
