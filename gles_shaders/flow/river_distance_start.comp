/* Marks rivers, for the distance to them: each of their cells starts with its own row as the nearest. */

#include "lib/number.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    /* threshold_at() may make a number of NaN as it holds it to the range, and find rivers. */
    bool river = is_number(area_at(p)) && is_number(threshold_unclamped(p)) && area_at(p) >= threshold_at(p);
    set_rivers(p, river ? 1.0 : 0.0);
    nearest[oro_index(p)] = river ? p.y : -1;
}
