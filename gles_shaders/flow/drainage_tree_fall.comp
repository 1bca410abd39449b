// Lowers the ways down from every cell until they fall by a step with each cell, as far as it takes. Long ways are gone on
// with by the next round.
#include "lib/routing.glsl"

const int WALK = 256; // cells

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = next[cell];
    int low = lowest[cell] - 1;
    for (int i = 0; to != cell && low < lowest[to]; i++) {
        if (i == WALK) {
            flags[int(pass.flag)] = 1u;
            return;
        }
        if (atomicMin(lowest[to], low) <= low)
            return;
        cell = to;
        to = next[cell];
        low--;
    }
}
