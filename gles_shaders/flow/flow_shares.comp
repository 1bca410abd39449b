// For multiple flow over ground that does not change: the steepest drop of every cell, and what one part of its water is
// when a straight way as steep takes one part: 1 / sum of (slope / steepest)^p, in which slanting ways count less. Both 0 for
// an outlet, where water leaves.
#include "lib/across.glsl"
#include "lib/outlets.glsl"
#include "lib/routing.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    float drops[9], most = 0.0, sum = 0.0;
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1, q = p + d;
        drops[k] = k == 4 || !oro_inside(q) ? 0.0 : (z[i] - z[oro_index(q)]) * (d.x * d.y != 0 ? 0.70710678 : 1.0);
        most = max(most, drops[k]);
    }
    for (int k = 0; k < 9; k++)
        sum += drops[k] > 0.0 ? (k % 2 == 0 ? ACROSS_SHARE : 1.0) * pow(drops[k] / most, params.flow_exponent) : 0.0;
    bool leaves = is_outlet(p) || most <= 0.0;
    steepest[i] = leaves ? 0.0 : most;
    share[i] = leaves ? 0.0 : 1.0 / sum;
}
