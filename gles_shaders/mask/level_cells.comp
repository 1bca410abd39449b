// Level ground: whatever lies near one of its cores, at the same height.
#include "lib/level.glsl"

const int REACH = 6;

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float h = ground[oro_index(p)], level = 0.0;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            if (oro_inside(q) && core[oro_index(q)] == CORE && ground[oro_index(q)] == h)
                level = 1.0;
        }
    level_cells[oro_index(p)] = level;
}
