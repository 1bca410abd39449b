/* What becomes of Gabor noise's field, for kernels run by oro_gabor_noise_run (nodes/source/gabor_noise.h). */
#include "lib/gabor.glsl"
#include "lib/number.glsl"

/* The amplitude of a cell, as far as there is a direction. What is not a number counts as 0. */
float gabor_swing(ivec2 p)
{
    float swing = amplitude_at(p);
    if (!is_number(amplitude_unclamped(p))) /* which amplitude_at() may make a number */
        return 0.0;
    if (HAS_ORIENTATION != 0) {
        float size = length(orientation_at(p));
        swing *= size > 0.0 ? min(size, 1.0) : 0.0;
    }
    return swing;
}

/* Height of a place whose wave is at `height`: within -1..1, or cut off there. */
float gabor_height(ivec2 p, float height)
{
    return params.offset + gabor_swing(p) * clamp(height, -1.0, 1.0);
}
