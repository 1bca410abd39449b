// Which cells are flats, and what is known of their fields at first.
#include "lib/flats.glsl"
#include "lib/outlets.glsl"
#include "lib/steps.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p);
    float here = plain_height(z[oro_index(p)]);
    bool lower = false, level = false, wall = false;
    for (int k = 0; k < 9; k++) {
        ivec2 q = p + ivec2(k % 3, k / 3) - 1;
        if (k == 4)
            continue;
        if (!oro_inside(q)) {
            wall = true;
            continue;
        }
        float there = plain_height(z[oro_index(q)]);
        lower = lower || here - there >= 1.17549435e-38;
        level = level || here == there;
        wall = wall || there > here;
    }
    bool is_flat = level && !lower && !is_outlet(p);
    walls[cell] = !is_flat ? 0u : wall ? 1u : NONE;
    ways[cell] = is_flat ? NONE : 0u;
    sinks[cell] = NONE;
}
