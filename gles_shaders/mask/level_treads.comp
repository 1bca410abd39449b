// What is a tread somewhere is one everywhere: from one dispatch to the next this spreads over cells of one height.
#include "lib/level.glsl"

const int REACH = 4;

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float kind = core[i];
    for (int y = -REACH; y <= REACH && kind == CORE; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = clamp(p + ivec2(x, y), ivec2(0), grid.size - 1);
            if (core[oro_index(q)] == TREAD && ground[oro_index(q)] == ground[i])
                kind = TREAD;
        }
    core_out[i] = kind;
}
