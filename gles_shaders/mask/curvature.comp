/* Curvatures of the quadratic surfaces that were fitted to a terrain. */
#include "lib/quadratic.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    quadratic f = quadratic_at(p);
    set_field(p, 0.5 + 0.5 * bulge(f, params.radius, contrast_at(p)));
    set_mean(p, mean_curvature(f));
    set_profile(p, profile_curvature(f));
    set_plan(p, plan_curvature(f));
}
