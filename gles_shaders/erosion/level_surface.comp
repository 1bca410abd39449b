// Of every cell: whether it is level ground, near whose core it lies at the same height; and the height of the level ground
// near by that it lies at or above, NOWHERE where none is. So far around, no water may be led below it.
#include "lib/level.glsl"

const int REACH = 6;

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float h = ground[oro_index(p)], level = 0.0, height = NOWHERE;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            float there = oro_inside(q) && core[oro_index(q)] == CORE ? ground[oro_index(q)] : 3e38;
            if (there <= h) {
                level = max(level, there == h ? 1.0 : 0.0);
                height = max(height, there);
            }
        }
    surface[oro_index(p)] = vec2(level, height);
}
