/* Stream power with bounds (Schott 2024, eq. 5): gles_shaders/lib/stream_power.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_STREAM_POWER_H
#define ORO_TERRAIN_PROCESSOR_LIB_STREAM_POWER_H

#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct oro_power_law {
    float steepest, largest; /* bounds: of the drop per cell, of the area in m^2 */
    float scale;             /* log2 of what turns drop and area into slope and reference cells */
    float slope_exponent, area_exponent;
};

/* For kernels of simulations that may run by duration. */
struct oro_power_law oro_power_law_of(struct oro_run *run);
/* For all kernels: `physical_time` is PHYSICAL_TIME of the kernel. */
struct oro_power_law oro_power_law_in(struct oro_run *run, bool physical_time);

/* `drop` is the drop per cell width, `area` in m^2, both >= 0. Nothing where there is no drop. */
ORO_INLINE float oro_stream_power(const struct oro_power_law *law, float drop, float area)
{
    float power = law->slope_exponent * oro_log2(oro_clamp(drop, 1e-37F, law->steepest)) +
                  law->area_exponent * oro_log2(oro_clamp(area, 1e-37F, law->largest)) + law->scale;
    return drop > 0 ? oro_exp2(power) : 0;
}

/* What ground that falls by `drop` loses where `carved` were due at this slope. */
ORO_INLINE float oro_yielded(float carved, float drop)
{
    float ratio = oro_min(carved / oro_max(drop, 1e-37F), 1e18F);
    float more = (1 + 4 * ratio) / (1 + 2 * ratio);
    float left = 1 + sqrtf(1 + 4 * ratio * more);
    return 4 * more * carved / (left * left);
}

/* Stream power without bounds, in logarithms, where nothing of it is lost: n log2(drop) + area_part(area). */
ORO_INLINE float oro_area_part(const struct oro_power_law *law, float area)
{
    return law->area_exponent * oro_log2(oro_max(area, 1e-37F)) + law->scale;
}

#endif
