#include "nodes/lib/profile.h"

double oro_profile_value(const struct oro_profile *profile, double x)
{
    int last = profile->count - 1, i = 0;
    if (last < 0)
        return 0;
    while (i < last && (double)profile->x[i + 1] < x)
        i++;
    double x0 = (double)profile->x[i], y0 = (double)profile->y[i];
    if (i == last || x <= x0)
        return x <= x0 ? y0 : (double)profile->y[last];
    double x1 = (double)profile->x[i + 1], y1 = (double)profile->y[i + 1];
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}
