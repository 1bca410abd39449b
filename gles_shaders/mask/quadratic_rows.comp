/* The first half of a quadratic fit, along the rows (nodes/mask/quadratic.h). */
#include "lib/parabola.glsl"

void fit(ivec2 p, parabola line)
{
    float here = terrain_at(p); /* relative to it: no digits are lost, and level ground is exactly level */
    vec3 sums = vec3(0.0);
    for (int i = line.first; i <= line.last; i++) {
        float rise = terrain_at(p + ivec2(i * int(pass.stride), 0)) - here;
        sums += sample_weight(i) * rise * polynomials(line, i);
    }
    vec3 fit = fitted(line, sums);
    row_value[oro_index(p)] = here + fit.x;
    row_slope[oro_index(p)] = fit.y;
    row_bend[oro_index(p)] = fit.z;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int cells = int(pass.reach / pass.stride) * int(pass.stride);
    if (cells > 0 && p.x >= cells && p.x < grid.size.x - cells) /* most cells, which all have the same samples */
        fit(p, parabola_of(-cells / int(pass.stride), cells / int(pass.stride)));
    else
        fit(p, parabola_around(p.x, grid.size.x));
}
