/* gles_shaders/lib/retarget.glsl */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_RETARGET_H
#define ORO_TERRAIN_PROCESSOR_LIB_RETARGET_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* The new height where the mask is 1, exactly; the old one where it is 0. */
ORO_INLINE float oro_masked(float mask, float old_height, float new_height)
{
    float blended = oro_mix(old_height, new_height, mask);
    return mask >= 1 ? new_height : blended;
}

/* Whether a height can be corrected by so much: both are numbers, and of some ground. */
ORO_INLINE bool oro_is_correction(float difference)
{
    return oro_abs(difference) < 1e30F;
}

#endif
