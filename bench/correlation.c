/* Correlation of rasters. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bench/bench.h"

double bench_correlation(const double *a, const double *b, int count)
{
    double sums[5] = {0};
    for (int i = 0; i < count; i++) {
        sums[0] += a[i] / count;
        sums[1] += b[i] / count;
    }
    for (int i = 0; i < count; i++) {
        double u = a[i] - sums[0], v = b[i] - sums[1];
        sums[2] += u * v;
        sums[3] += u * u;
        sums[4] += v * v;
    }
    return sums[2] / sqrt(sums[3] * sums[4]);
}

struct placed {
    double value;
    int place;
};

static int ascending(const void *a, const void *b)
{
    double left = ((const struct placed *)a)->value, right = ((const struct placed *)b)->value;
    return (left > right) - (left < right);
}

/* Replaces values by their ranks; equal ones get the mean of theirs. */
static void rank(double *values, struct placed *room, int count)
{
    for (int i = 0; i < count; i++)
        room[i] = (struct placed){values[i], i};
    qsort(room, (size_t)count, sizeof *room, ascending);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !(room[end].value > room[i].value);)
            end++;
        for (int k = i; k < end; k++)
            values[room[k].place] = 0.5 * (i + end - 1);
    }
}

bool bench_rank_correlation(double *a, double *b, int count, double *correlation, struct oro_error *err)
{
    struct placed *room = oro_alloc((size_t)count, sizeof *room);
    if (!room)
        return oro_fail(err, ORO_E_MEMORY, "no memory for ranks");
    rank(a, room, count);
    rank(b, room, count);
    oro_free(room);
    *correlation = bench_correlation(a, b, count);
    return true;
}
