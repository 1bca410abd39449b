/* Deposition. Sediment is kept as a depth on its cell; stream power gives depths on a reference cell. */
#include <math.h>

#include "tests/ref/ref.h"

/* In a pit all sediment settles, until the pit overflows by the least drop. */
static double settled_in_pit(const struct ref_ground *ground, double here, double least, double sediment)
{
    double room = isinf(ground->above) ? 0 : ground->above - here;
    return fmin(sediment, room + least);
}

/* Elsewhere a share of what the stream cannot carry settles, but only in hollows: half way to the mean of the
 * neighbours, and by the least drop below the lowest that drains into the cell. */
static double settled_on_slope(const struct ref_deposition *d, const struct ref_ground *ground, double here,
                               double least, double sediment, double capacity)
{
    double room = isinf(ground->above) ? 0 : ground->above - here;
    double hollow = 0.5 * fmax(fmin(ground->mean - here, room - least), 0);
    return fmin(fmax(d->settling * (sediment - capacity), 0), hollow);
}

/* The part of a depth that can be added to a height without rounding; the rest stays in the stream. */
static double addable(double depth, double here)
{
    float largest = (float)fmax(fabs(here), fabs(here + depth));
    double spacing = (double)nextafterf(largest, INFINITY) - (double)largest;
    return floor(depth / spacing) * spacing;
}

static void settle(const struct ref_deposition *d, struct ref_load before, struct ref_load after, double came,
                   int x, int y)
{
    int i = d->flow.width * y + x;
    struct ref_ground ground = ref_ground_at(&d->flow, before.height, x, y);
    double here = (double)before.height[i], mask = (double)d->mask[i], least = d->least_slope * d->flow.cell;
    double cells = pow(d->flow.cell / d->power.reference_cell, 2);
    double capacity = ref_stream_power(&d->power, ground.slope, (double)after.area[i]) / cells;
    double taken = fmin(d->creation * capacity, (double)before.source[i]) * mask;
    double sediment = came + (ground.slope > 0 ? 0 : (double)before.sediment[i]);
    double settled = mask * (ground.slope > 0 ? settled_on_slope(d, &ground, here, least, sediment, capacity)
                                              : settled_in_pit(&ground, here, least, sediment));
    settled = addable(settled, here);
    after.height[i] = (float)(here + settled);
    after.sediment[i] = (float)(taken + sediment - settled);
    after.source[i] = (float)((double)before.source[i] - taken);
}

void ref_deposition_step(const struct ref_deposition *d, struct ref_load before, struct ref_load after)
{
    ref_drainage_step(&d->flow, before.height, d->rain, before.area, after.area);
    for (int y = 0; y < d->flow.height; y++)
        for (int x = 0; x < d->flow.width; x++)
            settle(d, before, after, ref_came(&d->flow, before.height, before.sediment, x, y), x, y);
}
