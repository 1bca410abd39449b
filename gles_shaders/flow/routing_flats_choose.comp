// Where the water of flats goes: of the directions 3 * (y + 1) + x + 1, 4 where there is none, in a pit and in what is no flat.
#include "lib/flats.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), way = ways[cell], chosen = 4u, cost = cost_at(p, walls[cell]);
    float here = plain_height(z[oro_index(p)]);
    for (int k = 8; k >= 0 && way != 0u && way != NONE; k--) {
        ivec2 d = ivec2(k % 3, k / 3) - 1, q = p + d;
        if (k == 4 || !oro_inside(q) || plain_height(z[oro_index(q)]) != here)
            continue;
        if (way_by(ways[cell_number(q)], d, cost) == way)
            chosen = uint(k);
    }
    across[cell] = chosen;
}
