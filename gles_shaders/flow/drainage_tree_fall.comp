// Lowers the ways down from every cell until they fall by a step with each cell, as far as it takes. Long ways are gone on
// with by the next round.
#include "lib/routing.glsl"

const int WALK = 1024; // cells

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = next[cell];
    if (to == cell)
        return;
    int low = lowest[cell];
    for (int i = 0; i < WALK; i++) {
        uint further = next[to];
        low--;
        if (low >= lowest[to])
            return;
        atomicMin(lowest[to], low);
        if (further == to)
            return;
        to = further;
    }
    flags[int(pass.flag)] = 1u;
}
