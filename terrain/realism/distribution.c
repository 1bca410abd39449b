/* How far two distributions are from each other. */
#include <stdlib.h>

#include "terrain/realism/realism_private.h"

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double oro_realism_distance(float *a, size_t a_count, float *b, size_t b_count)
{
    double greatest = 0;
    qsort(a, a_count, sizeof *a, compare);
    qsort(b, b_count, sizeof *b, compare);
    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        float value = fminf(a[i], b[j]);
        while (i < a_count && a[i] <= value)
            i++;
        while (j < b_count && b[j] <= value)
            j++;
        greatest = fmax(greatest, fabs((double)i / (double)a_count - (double)j / (double)b_count));
    }
    return greatest;
}
