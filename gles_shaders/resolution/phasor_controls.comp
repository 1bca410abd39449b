/* What guides the ravines, over the cells of the coarse terrain: the direction of the slopes, and the amplitude. The
 * slot `terrain` is the smoothed one, `ground` the terrain itself. */
#include "lib/number.glsl"
#include "lib/terrain.glsl"

/* 0 in rivers and their neighbours, so that next to nothing is left in them between the cells; 1 from `reach` on
 * (Grenier 2023, 3.3). */
float away_from_rivers(ivec2 p)
{
    float bank = 1.5 * grid.cell;
    if (HAS_DISTANCE == 0 || !params.rivers)
        return 1.0;
    return smoothstep(0.0, 1.0, (away_at(p) - bank) / max(reach_at(p) - bank, grid.cell));
}

/* The slope of the ground itself, in metres per metre: hardly any in lakes and on plains, also where hills are near. */
float steepness_at(ivec2 p)
{
    ivec2 before = max(p - 1, ivec2(0)), after = min(p + 1, grid.size - 1);
    vec2 run = vec2(max(after - before, ivec2(1))) * grid.cell;
    float east = ground_at(ivec2(after.x, p.y)) - ground_at(ivec2(before.x, p.y));
    float south = ground_at(ivec2(p.x, after.y)) - ground_at(ivec2(p.x, before.y));
    return length(vec2(east, south) / run);
}

/* The linked depth may be NaN; as a map, held to its range, that may become a number. */
float depth_at(ivec2 p)
{
    return is_number(amplitude_unclamped(p)) ? amplitude_at(p) : 0.0;
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 uphill = gradient(p);
    float sure = 1.0;
    float least = tan(radians(params.least_slope));
    if (HAS_ORIENTATION != 0) {
        vec2 way = orientation_at(p) / max(length(orientation_at(p)), 1.0);
        sure = length(way);
        uphill = -max(length(uphill), 1e-3) * way;
    } else if (least > 0.0) {
        sure = smoothstep(0.0, least, steepness_at(p));
    }
    float full = depth_at(p) * away_from_rivers(p) * sure, masked = full * mask_at(p);
    slope_out[oro_index(p)] = uphill;
    /* Comparisons are false for what is not a number. The mask takes away detail, but does not turn it. */
    full_out[oro_index(p)] = full > 0.0 ? full : 0.0;
    relief_out[oro_index(p)] = masked > 0.0 ? masked : 0.0;
}
