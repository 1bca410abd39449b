#include "nodes/lib/phasor_profile.h"

#include <math.h>

#include "nodes/lib/profile.h"

static double height_at(const struct oro_phasor_profile *profile, double x)
{
    if (profile->curve)
        return oro_profile_value(profile->curve, x);
    double root = sqrt(profile->epsilon);
    return sqrt((1 + 2 * root) * x * x + profile->epsilon) - root;
}

struct oro_phasor_heights oro_phasor_measure(const struct oro_phasor_profile *profile)
{
    enum { STEPS = 4096 };
    struct oro_phasor_heights heights = {0, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < STEPS; i++) {
        double y = height_at(profile, (i + 0.5) / STEPS);
        heights.mean += y / STEPS;
        heights.low = fmin(heights.low, y);
        heights.high = fmax(heights.high, y);
    }
    return heights;
}
