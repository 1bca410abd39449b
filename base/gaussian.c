#include "base/gaussian.h"

#include <math.h>

/* Variances of successive Gaussians add up. Once the raster is blurred by s cells, sampling every s-th cell
 * loses nothing, so each stage may be eight times as wide as the one before at the same cost. */
int oro_gaussian_stages(double sigma, struct oro_gaussian_stage stages[ORO_GAUSSIAN_STAGES_MAX])
{
    int count = 0;
    double done = 0;
    while (count < ORO_GAUSSIAN_STAGES_MAX) {
        double rest = sqrt(fmax(sigma * sigma - done * done, 0));
        if (rest <= 1e-3 * sigma)
            break;
        int stride = (int)fmax(1, floor(fmin(done, rest)));
        stages[count] = (struct oro_gaussian_stage){stride, fmin(rest, (double)stride * ORO_GAUSSIAN_SIGMA)};
        done = hypot(done, stages[count++].sigma);
    }
    return count;
}

int oro_gaussian_weights(const struct oro_gaussian_stage *stage, float weights[ORO_GAUSSIAN_TAPS_MAX])
{
    double sigma = stage->sigma / stage->stride, exact[ORO_GAUSSIAN_TAPS_MAX] = {1}, total = 1;
    int side = (int)fmin(ceil(ORO_GAUSSIAN_TAIL * sigma), ORO_GAUSSIAN_TAPS_MAX - 1);
    for (int i = 1; i <= side; i++) {
        exact[i] = exp(-0.5 * i * i / (sigma * sigma));
        total += 2 * exact[i];
    }
    for (int i = 0; i <= side; i++)
        weights[i] = (float)(exact[i] / total);
    return side + 1;
}
