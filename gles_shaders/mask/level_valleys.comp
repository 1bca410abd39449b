// Level ground counts as near up valleys, too, whose cells rise little above it: their floors may be its arms, narrower than
// cells. From one dispatch to the next this spreads by a cell.
#include "lib/level.glsl"

const float RISE = 0.25; // of a cell's width

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float h = ground[i], height = level[i];
    if (height > h) {
        float highest = -3e38;
        for (int k = 0; k < 9; k++) {
            int j = oro_index(clamp(p + ivec2(k % 3, k / 3) - 1, ivec2(0), grid.size - 1));
            if (level[j] <= min(ground[j], h) && h - level[j] < RISE * grid.cell)
                highest = max(highest, level[j]);
        }
        height = highest > -3e38 ? highest : height;
    }
    level_out[i] = height;
}
