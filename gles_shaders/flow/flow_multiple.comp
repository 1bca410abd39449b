// One step of multiple flow (Schott 2024, eq. 1 and 2): a cell's own rain, and what its higher neighbours give to it.
#include "lib/across.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float came = grid.cell * grid.cell * rain_at(p);
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1, q = p + d;
        if (k == 4 || !oro_inside(q))
            continue;
        int j = oro_index(q);
        float drop = (z[j] - z[i]) * (d.x * d.y != 0 ? 0.70710678 : 1.0);
        if (drop > 0.0 && share[j] > 0.0)
            came += (k % 2 == 0 ? ACROSS_SHARE : 1.0) * pow(drop / steepest[j], params.flow_exponent) * share[j] * area[j];
    }
    area_out[i] = came;
}
