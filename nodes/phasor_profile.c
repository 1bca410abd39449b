#include "nodes/phasor_profile.h"

#include <math.h>

double oro_phasor_rounded(double epsilon, double x)
{
    double root = sqrt(epsilon);
    return sqrt((1 + 2 * root) * x * x + epsilon) - root;
}

double oro_phasor_drawn(const struct oro_profile *curve, double x)
{
    if (x <= (double)curve->x[0])
        return (double)curve->y[0];
    for (int i = 1; i < curve->count; i++) {
        double x0 = (double)curve->x[i - 1], x1 = (double)curve->x[i];
        if (x < x1)
            return (double)curve->y[i - 1] + (x - x0) / (x1 - x0) * (double)(curve->y[i] - curve->y[i - 1]);
    }
    return (double)curve->y[curve->count - 1];
}
