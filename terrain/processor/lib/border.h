/* Ground beyond open borders: gles_shaders/lib/border.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_BORDER_H
#define ORO_TERRAIN_PROCESSOR_LIB_BORDER_H

#include "terrain/processor/vector.h"

/* Elevation there, from those of the edge and of the next two cells inwards. */
ORO_INLINE float oro_ground_beyond(float at_edge, float next, float second, float cell)
{
    const float steepest_outflow = 0.1F;
    return at_edge - oro_clamp(oro_min(next - at_edge, second - next), 0, steepest_outflow * cell);
}

#endif
