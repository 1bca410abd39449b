// Turns ways round, each from a cell to its end: ways[] has the cell and the one that it is to lead to, which is itself where
// the way leaves the part of the terrain there. Ways do not meet. A long one goes on in another dispatch.
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    int way = p.y * grid.size.x + p.x;
    if (!oro_inside(p) || way >= int(pass.count))
        return;
    uint at = ways[2 * way], from = ways[2 * way + 1];
    for (int k = 0; k < 1024 && at != NONE; k++) {
        uint below = next[at];
        next[at] = from;
        from = at;
        at = below == at ? NONE : below;
    }
    ways[2 * way] = at;
    ways[2 * way + 1] = from;
    if (at != NONE)
        flags[int(pass.flag)] = 1u;
}
