/* Thermal erosion. */
#include <math.h>

#include "tests/ref/ref.h"

static int inside(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static double tangent(float degrees)
{
    return tan(fmin(fmax((double)degrees, 0), 89) * acos(-1) / 180);
}

/* What cell `a` gets from cell `b`: a tenth of the rise beyond the stable one, at most `amount` per square
 * metre of the reference cell. */
static double moved(const struct ref_thermal *t, const float *height, int a, int b, double distance)
{
    double stable = distance * (tangent(t->repose[a]) + tangent(t->repose[b])) / 2;
    double rise = (double)height[b] - (double)height[a],
           most = t->amount * t->reference_cell * t->reference_cell;
    double excess = fmax(fabs(rise) - stable, 0);
    return copysign(fmin(0.1 * excess, most), rise) * fmin((double)t->mask[a], (double)t->mask[b]);
}

/* The terrain goes on beyond the border as its mirror image. */
void ref_thermal_step(const struct ref_thermal *t, const float *height, float *height_out)
{
    for (int y = 0; y < t->height; y++)
        for (int x = 0; x < t->width; x++) {
            int here = t->width * y + x;
            double gained = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int there = t->width * inside(y + dy, t->height) + inside(x + dx, t->width);
                    gained += moved(t, height, here, there, t->cell * hypot(dx, dy));
                }
            height_out[here] = (float)((double)height[here] + gained);
        }
}
