/* Rivers, each cell of which knows one: its own row. */

#include "lib/number.glsl"

/* As it is linked: threshold_at() may hold NaN to the range, and find rivers. */
float unchecked_threshold(ivec2 p)
{
#if HAS_THRESHOLD
    return threshold[oro_source_index(p)];
#else
    return threshold_at(p);
#endif
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    bool river = is_number(area_at(p)) && is_number(unchecked_threshold(p)) && area_at(p) >= threshold_at(p);
    set_rivers(p, river ? 1.0 : 0.0);
    nearest[oro_index(p)] = river ? p.y : -1;
}
