// Grades come down their ways, from cell to cell as long as the ground is not lower and none that is deeper has come. Long
// ways are gone on with by the next round.
#include "lib/routing.glsl"

const int WALK = 256; // cells

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    uint cell = cell_number(p), to = next[cell];
    int own = grade[cell];
    for (int i = 0; to != cell && own <= limit[cell] && own < grade[to]; i++) {
        if (i == WALK) {
            flags[int(pass.flag)] = 1u;
            return;
        }
        if (atomicMin(grade[to], own) <= own)
            return;
        cell = to;
        to = next[cell];
    }
}
