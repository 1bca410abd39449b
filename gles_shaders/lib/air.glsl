/*
 * Moist air over a terrain, carried along by the wind (Smith 1979; Roe 2005, "Orographic precipitation"). What water it
 * has counts as a share of what it can hold at the sea.
 */
#include "lib/number.glsl"

/* What air can hold where it is lifted so high above the sea: saturated, it has as much. */
float capacity(float above)
{
    return exp(-above / params.scale_height);
}

/* Elevation above the sea of ground, or of the sea itself: what is no number counts as sea, and what is without end is
 * held to where there is no air. */
float above_sea(float elevation)
{
    return is_number(elevation) ? clamp(elevation - params.sea_level, 0.0, 1e7) : 0.0;
}
