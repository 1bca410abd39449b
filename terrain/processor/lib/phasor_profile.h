/* How phasor noise makes heights of phases: gles_shaders/lib/phasor_profile.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PHASOR_PROFILE_H
#define ORO_TERRAIN_PROCESSOR_LIB_PHASOR_PROFILE_H

#include <math.h>

#include "terrain/processor/lib/profile.h"

#define ORO_PHASOR_PI 3.14159265359F

/* Eq. 6: height of a rounded triangle, and its slope. */
ORO_INLINE float oro_phasor_rounded(float epsilon, float x, float *slope)
{
    float root = sqrtf(epsilon), steep = 1 + 2 * root, y = sqrtf(steep * x * x + epsilon);
    *slope = steep * x / oro_max(y, 1e-6F);
    return y - root;
}

/* Eq. 7: how far the phase counts where the field is of this size. */
ORO_INLINE float oro_phasor_certain(float c, float size)
{
    return 2 / ORO_PHASOR_PI * oro_atan2(c * size, 1);
}

/* What this grows by, for each unit that the size grows by. */
ORO_INLINE float oro_phasor_certain_slope(float c, float size)
{
    float reach = c * size;
    return 2 / ORO_PHASOR_PI * c / (1 + reach * reach);
}

#endif
