/* Retarget. */
#include "tests/ref/ref_retarget.h"

#include <math.h>
#include <stdbool.h>

/* Sum over the neighbours of (e_neighbour - e), less e / reach^2; `weight` is what e is taken times there. */
static double equation(int width, int height, double reach, const double *e, int x, int y, double *weight)
{
    static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    double here = e[width * y + x], sum = reach > 0 ? -here / (reach * reach) : 0;
    *weight = reach > 0 ? 1 / (reach * reach) : 0;
    for (int k = 0; k < 4; k++) {
        int i = x + steps[k][0], j = y + steps[k][1];
        if (i < 0 || i >= width || j < 0 || j >= height)
            continue;
        sum += e[width * j + i] - here;
        *weight += 1;
    }
    return sum;
}

/* One sweep; returns the largest change. */
static double sweep(int width, int height, const float *fixed, double reach, double omega, double *e)
{
    double most = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double weight, sum = equation(width, height, reach, e, x, y, &weight);
            if (fixed[width * y + x] > 0.5f || weight == 0)
                continue;
            e[width * y + x] += omega * sum / weight;
            most = fmax(most, fabs(omega * sum / weight));
        }
    return most;
}

void ref_spread(int width, int height, const float *fixed, const float *given, double reach, double *e)
{
    int side = width > height ? width : height, sweeps = 0;
    double omega = 2 / (1 + 2.0 / (side + 1)); /* near the best for a wide gap between fixed cells */
    for (int i = 0; i < width * height; i++)
        e[i] = fixed[i] > 0.5f ? (double)given[i] : 0;
    while (sweep(width, height, fixed, reach, omega, e) > 1e-9 && sweeps < 200000)
        sweeps++;
}

double ref_spread_residual(int width, int height, const float *fixed, double reach, const double *e)
{
    double most = 0, weight;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (fixed[width * y + x] <= 0.5f)
                most = fmax(most, fabs(equation(width, height, reach, e, x, y, &weight)));
    return most;
}

static bool is_peak(int width, int height, const float *terrain, int radius, int x, int y)
{
    float here = terrain[width * y + x];
    for (int j = y - radius; j <= y + radius; j++)
        for (int i = x - radius; i <= x + radius; i++) {
            if (i < 0 || i >= width || j < 0 || j >= height)
                continue;
            float there = terrain[width * j + i];
            if (there > here || (there == here && width * j + i < width * y + x))
                return false;
        }
    return true;
}

void ref_peaks(int width, int height, const float *terrain, int radius, float *peaks)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            peaks[width * y + x] = is_peak(width, height, terrain, radius, x, y) ? 1 : 0;
}
