#include "tests/ref/ref_stream_power.h"

#include <math.h>
#include <stdlib.h>

static int held(int value, int count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/* With equal weights for all eight neighbours; beyond the border the ground goes on level. */
static double laplacian(const struct ref_routing *r, size_t cell, double side)
{
    int x = (int)(cell % (size_t)r->width), y = (int)(cell / (size_t)r->width);
    double sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += (double)r->z[held(y + dy, r->height) * r->width + held(x + dx, r->width)];
    return (sum - 9 * (double)r->z[cell]) / (3 * side * side);
}

static double change_of(const struct ref_stream_power *p, const struct ref_routing *r, size_t cell,
                        double area)
{
    size_t to = r->receiver[cell], width = (size_t)r->width;
    if (to == cell)
        return 0;
    int dx = (int)(to % width) - (int)(cell % width), dy = (int)(to / width) - (int)(cell / width);
    double slope = fmax((double)r->z[cell] - (double)r->z[to], 0) / (p->cell * hypot(dx, dy));
    double uplift = p->uplift_map ? (double)p->uplift_map[cell] : p->uplift;
    return uplift - p->erodibility * pow(area * 1e-6, p->m) * pow(slope, p->n) +
           p->hillslope * laplacian(r, cell, p->cell);
}

double ref_stream_power_change(const struct ref_stream_power *power, const struct ref_routing *routing)
{
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    float *area = malloc(cells * sizeof *area);
    double sum = 0;
    if (!area)
        return NAN;
    ref_area(routing, power->cell, power->rain, area);
    for (size_t i = 0; i < cells; i++)
        sum += fabs(change_of(power, routing, i, (double)area[i]));
    free(area);
    return sum / (double)cells;
}
