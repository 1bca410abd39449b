/* The mean of 2 * pass.reach + 1 cells along one axis, so that samples which lie further apart than cells miss nothing. */
#include "lib/edges.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int reach = int(pass.reach);
    float middle = ground[oro_index(p)], change = 0.0;
    for (int i = -reach; i <= reach; i++) {
        ivec2 q = within_edges(p + i * ivec2(pass.east, pass.south));
        change += ground[oro_source_cell(q)] - middle;
    }
    softened[oro_index(p)] = middle + change / float(2 * reach + 1);
}
