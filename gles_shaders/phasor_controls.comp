/* What guides the ravines, over the cells of the coarse terrain: the direction of the slopes, and the amplitude. The
 * slot `terrain` is the smoothed one. */
#include "lib/terrain.glsl"

/* 0 in rivers and a cell to either side, so that what is between is 0 in them as well; 1 from `reach` on (Grenier
 * 2023, 3.3). */
float away_from_rivers(ivec2 p)
{
#if HAS_DISTANCE
    float bank = 1.5 * grid.cell;
    if (params.rivers)
        return smoothstep(0.0, 1.0, (distance_at(p) - bank) / max(reach_at(p), grid.cell));
#endif
    return 1.0;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 uphill = gradient(p);
    float steepness = length(uphill), sure = 1.0;
#if HAS_ORIENTATION
    vec2 way = orientation_at(p);
    sure = min(length(way), 1.0);
    uphill = -max(steepness, 1e-3) * way;
#else
    float least = tan(radians(params.least_slope));
    if (least > 0.0)
        sure = smoothstep(0.0, least, steepness);
#endif
    float amplitude = amplitude_at(p) * away_from_rivers(p) * sure, masked = amplitude * mask_at(p);
    slope_out[oro_index(p)] = uphill;
    /* Comparisons are false for what is not a number. The mask takes away detail, but does not turn it. */
    full_out[oro_index(p)] = amplitude > 0.0 ? amplitude : 0.0;
    relief_out[oro_index(p)] = masked > 0.0 ? masked : 0.0;
}
