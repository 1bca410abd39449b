// The terrain with its correction (Schott 2024, 5.1: h_R = h_A + E), at places exactly the height that was asked for.
#include "lib/retarget.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    result[i] = masked(p, ground[i], place[i] > 0.5 ? target[i] : ground[i] + correction[i]);
}
