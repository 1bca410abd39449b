#include "tests/ref/ref_diamond_square.h"

#include <math.h>

#include "base/random.h"

static double deviate(const struct ref_squares *squares, int level, int64_t x, int64_t y)
{
    uint32_t seed = oro_random_hash(squares->seed + (uint32_t)level);
    uint32_t bits = oro_random_hash((uint32_t)x + oro_random_hash((uint32_t)y + oro_random_hash(seed)));
    double u = (bits >> 8) / 16777216.0, v = (oro_random_hash(bits) >> 8) / 16777216.0;
    if (squares->uniform)
        return sqrt(12) * (u - 0.5);
    return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

/* A displacement goes with the distance to what the vertex is the mean of, in sides of the first squares. */
static double displacement(const struct ref_squares *squares, int level, int64_t x, int64_t y,
                           double distance)
{
    double exponent = -log2(squares->roughness);
    return pow(distance, exponent) * deviate(squares, level, x, y);
}

/* Vertex (x, y) of a level, counted from the origin. */
static double vertex(const struct ref_squares *squares, int level, int64_t x, int64_t y)
{
    double side = ldexp(1, -level);
    bool odd_x = x & 1, odd_y = y & 1;
    if (level == 0)
        return displacement(squares, 0, x, y, 1);
    if (!odd_x && !odd_y)
        return vertex(squares, level - 1, x / 2, y / 2);
    double sum = 0;
    for (int i = -1; i <= 1; i += 2)
        for (int k = -1; k <= 1; k += 2)
            sum += odd_x && odd_y ? vertex(squares, level, x + i, y + k)
                                  : vertex(squares, level, x + (i + k) / 2, y + (i - k) / 2);
    double distance = odd_x && odd_y ? sqrt(2) * side : side;
    return sum / 4 + displacement(squares, level, x, y, distance);
}

double ref_diamond_square(const struct ref_squares *squares, double x, double y)
{
    double side = ldexp(squares->side, -squares->halvings);
    double west = floor(x / side), north = floor(y / side), tx = x / side - west, ty = y / side - north;
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (i & 1 ? tx : 1 - tx) * (i & 2 ? ty : 1 - ty) *
               vertex(squares, squares->halvings, (int64_t)west + (i & 1), (int64_t)north + (i >> 1));
    return sum;
}
