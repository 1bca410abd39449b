/* Moist air over a terrain, and the lines that it moves along: gles_shaders/lib/air.glsl, lib/wind.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_AIR_H
#define ORO_TERRAIN_PROCESSOR_LIB_AIR_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* How much water air can hold so high above the sea. */
ORO_INLINE float oro_capacity(float above, float scale_height)
{
    return oro_exp(-above / scale_height);
}

ORO_INLINE float oro_above_sea(float elevation, float sea_level)
{
    float above = oro_clamp(elevation - sea_level, 0, 1e7F);
    return oro_is_number(elevation) ? above : 0;
}

struct oro_wind {
    bool across, backward;
    float slant;
    int steps, breadth;
};

ORO_INLINE struct oro_wind oro_wind_of(struct oro_run *run)
{
    bool across = oro_run_number(run, "across") != 0;
    return (struct oro_wind){across, oro_run_number(run, "backward") != 0, oro_run_number(run, "slant"),
                             across ? run->grid.height : run->grid.width,
                             across ? run->grid.width : run->grid.height};
}

/* The row or column of a step, and the step of a row or column. */
ORO_INLINE int oro_wind_along(const struct oro_wind *wind, int step)
{
    return wind->backward ? wind->steps - 1 - step : step;
}

ORO_INLINE size_t oro_air_index(const struct oro_wind *wind, int step, int side)
{
    return (size_t)step * (size_t)(wind->breadth + 1) + (size_t)(side + 1);
}

#endif
