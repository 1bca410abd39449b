// Grades come down their ways, from cell to cell as long as the ground is not lower and none that is deeper has come. Long
// ways are gone on with by the next round. Nothing of a step waits for the memory but what it reads of one cell.
#include "lib/routing.glsl"

const int WALK = 1024; // cells

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = next[cell];
    int own = grade[cell];
    if (to == cell || own > limit[cell])
        return;
    for (int i = 0; i < WALK; i++) {
        uint further = next[to];
        int there = grade[to], ground = limit[to];
        if (own >= there)
            return;
        atomicMin(grade[to], own);
        if (further == to || own > ground)
            return;
        to = further;
    }
    flags[int(pass.flag)] = 1u;
}
