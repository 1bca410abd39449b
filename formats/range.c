#include "formats/range.h"

#include <float.h>
#include <math.h>

bool oro_range_valid(struct oro_height_range range)
{
    return isfinite(range.low) && isfinite(range.high) && fabs(range.low) <= (double)FLT_MAX &&
           fabs(range.high) <= (double)FLT_MAX && range.low <= range.high;
}

struct oro_height_range oro_range_of(const float *metres, size_t count)
{
    float low = metres[0], high = metres[0];
    for (size_t i = 1; i < count; i++) {
        if (metres[i] < low)
            low = metres[i];
        if (metres[i] > high)
            high = metres[i];
    }
    return (struct oro_height_range){low, high};
}

size_t oro_range_to_levels(struct oro_height_range range, double largest, const float *metres, size_t count,
                           float *levels)
{
    size_t clipped = 0;
    double span = range.high - range.low;
    for (size_t i = 0; i < count; i++) {
        double level = span > 0 ? floor(((double)metres[i] - range.low) / span * largest + 0.5) : 0;
        if (level < 0 || level > largest)
            clipped++;
        levels[i] = (float)fmin(fmax(level, 0), largest);
    }
    return clipped;
}

void oro_range_to_metres(struct oro_height_range range, double largest, float *samples, size_t count)
{
    double span = range.high - range.low;
    for (size_t i = 0; i < count; i++) {
        double level = samples[i];
        double metres = level < largest ? range.low + span * (level / largest) : range.high;
        samples[i] = (float)fmin(metres, range.high);
    }
}
