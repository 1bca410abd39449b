/*
 * Moist air over a terrain, carried along by the wind (Smith 1979; Roe 2005, "Orographic precipitation"). Its water is
 * counted as a share of what it can hold at the sea.
 */
#include "lib/number.glsl"

/* How much water air can hold where it is lifted so high above the sea; saturated air has as much. */
float capacity(float above)
{
    return exp(-above / params.scale_height);
}

/* Elevation above the sea of ground, or of the sea itself: NaN counts as sea, and infinite elevations are held to where
 * there is no air. */
float above_sea(float elevation)
{
    return is_number(elevation) ? clamp(elevation - params.sea_level, 0.0, 1e7) : 0.0;
}
