/* Fluvial erosion. */
#include <math.h>

#include "tests/ref/ref.h"

double ref_stream_power(const struct ref_power *p, double slope, double area)
{
    double cells = fmin(area, p->area_limit) / (p->reference_cell * p->reference_cell);
    return slope > 0 ? pow(fmin(slope, p->slope_limit), p->slope_exponent) * pow(cells, p->area_exponent) : 0;
}

/* Not below the receiver, by a tenth of the drop. */
static double carved(const struct ref_fluvial *f, const float *height, double area, int x, int y)
{
    int i = f->flow.width * y + x;
    double here = (double)height[i];
    struct ref_ground ground = ref_ground_at(&f->flow, height, x, y);
    if (ground.slope <= 0)
        return here;
    double depth = f->erodibility * f->power.reference_cell * (1 - (double)f->hardness[i]) *
                   (double)f->mask[i] * ref_stream_power(&f->power, ground.slope, area);
    return here - fmin(fmax(depth, 0), 0.9 * (here - ground.receiver));
}

void ref_fluvial_step(const struct ref_fluvial *f, const float *height, const float *area, float *height_out,
                      float *area_out)
{
    ref_drainage_step(&f->flow, height, f->rain, area, area_out);
    for (int y = 0; y < f->flow.height; y++)
        for (int x = 0; x < f->flow.width; x++) {
            int i = f->flow.width * y + x;
            height_out[i] = (float)carved(f, height, (double)area_out[i], x, y);
        }
}
