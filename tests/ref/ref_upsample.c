/* Upsampling, cell-centred. */
#include <math.h>
#include <stdlib.h>

#include "tests/ref/ref.h"

/* The kernels as functions of the distance from a sample. */
static double catmull_rom(double d)
{
    if (d < 1)
        return 1.5 * d * d * d - 2.5 * d * d + 1;
    return d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0;
}

static double b_spline(double d)
{
    if (d < 1)
        return (3 * d * d * d - 6 * d * d + 4) / 6;
    return d < 2 ? pow(2 - d, 3) / 6 : 0;
}

static double weight(enum ref_method method, double distance)
{
    double d = fabs(distance);
    if (method == REF_BILINEAR)
        return fmax(1 - d, 0);
    return method == REF_CATMULL_ROM ? catmull_rom(d) : b_spline(d);
}

static int inside(int i, int count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* Beyond an edge the surface goes on along its last slope in x and in y; a single cell goes on level. */
static double height_beyond(int width, int height, const float *h, int x, int y)
{
    int ex = inside(x, width), ey = inside(y, height);
    int ix = inside(ex + (x < ex) - (x > ex), width), iy = inside(ey + (y < ey) - (y > ey), height);
    double edge = (double)h[width * ey + ex];
    return edge + abs(x - ex) * (edge - (double)h[width * ey + ix]) +
           abs(y - ey) * (edge - (double)h[width * iy + ex]);
}

void ref_upsample(enum ref_method method, int width, int height, const float *coarse, int factor, float *fine)
{
    for (int y = 0; y < factor * height; y++)
        for (int x = 0; x < factor * width; x++) {
            double px = (x + 0.5) / factor - 0.5, py = (y + 0.5) / factor - 0.5, sum = 0;
            int qx = (int)floor(px), qy = (int)floor(py);
            for (int j = qy - 1; j <= qy + 2; j++)
                for (int i = qx - 1; i <= qx + 2; i++)
                    sum += weight(method, px - i) * weight(method, py - j) *
                           height_beyond(width, height, coarse, i, j);
            fine[factor * width * y + x] = (float)sum;
        }
}
