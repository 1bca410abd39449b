/* Deposition. */
#include <math.h>

#include "tests/ref/ref.h"

/* ---- Hollows: stream power gives depths on a reference cell ---- */

/* In a pit all sediment settles, until the pit overflows by the least drop. */
static double settled_in_pit(const struct ref_ground *ground, double here, double least, double sediment)
{
    double room = isinf(ground->above) ? 0 : ground->above - here;
    return fmin(sediment, room + least);
}

/* Elsewhere a share of what the stream cannot carry settles, but only in hollows: half way to the mean of the
 * neighbours, and by the least drop below the lowest that drains into the cell. */
static double settled_in_hollow(const struct ref_deposition *d, const struct ref_ground *ground, double here,
                                double sediment, double capacity)
{
    double least = d->least_slope * d->flow.cell;
    if (ground->slope <= 0)
        return settled_in_pit(ground, here, least, sediment);
    double room = isinf(ground->above) ? 0 : ground->above - here;
    double hollow = 0.5 * fmax(fmin(ground->mean - here, room - least), 0);
    return fmin(fmax(d->settling * (sediment - capacity), 0), hollow);
}

/* ---- Plains ---- */

/* How far a cell may rise below its neighbours that have no steeper way than to it. */
static double room_below_givers(const struct ref_deposition *d, const float *height, int x, int y)
{
    double here = ref_height(&d->flow, height, x, y), room = INFINITY;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            double length = d->flow.cell * hypot(dx, dy);
            double rise = ref_height(&d->flow, height, x + dx, y + dy) - here;
            if (rise <= 0)
                continue;
            double steepest = ref_ground_at(&d->flow, height, x + dx, y + dy).slope;
            if (rise / length >= 0.999999 * steepest)
                room = fmin(room, rise - fmax(d->least_slope * length, 0.001 * rise));
        }
    return fmax(room, 0);
}

/* The lowest that a cell with slope `slope` to all its neighbours could be. */
static double graded_height(const struct ref_deposition *d, const float *height, double slope, int x, int y)
{
    double lowest = INFINITY;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                lowest = fmin(lowest, ref_height(&d->flow, height, x + dx, y + dy) +
                                          slope * d->flow.cell * hypot(dx, dy));
    return lowest;
}

/* d = min(t, k_d phi), until the ground is so steep that phi is 0, or its fall grows by 0.02 from the way in
 * to the way out; in a pit all, until it runs over. */
static double settled_on_plain(const struct ref_deposition *d, const struct ref_ground *ground,
                               const float *height, double area, double sediment, int x, int y)
{
    double here = ref_height(&d->flow, height, x, y);
    if (ground->slope <= 0)
        return fmin(sediment, graded_height(d, height, 0, x, y) - here + d->least_slope * d->flow.cell);
    struct ref_power unbounded = d->power;
    unbounded.slope_limit = unbounded.area_limit = INFINITY;
    double unit = d->capacity * d->power.reference_cell / d->flow.cell;
    double carried = unit * ref_stream_power(&unbounded, ground->slope, area);
    double slope =
        fmin(pow(sediment / (unit * ref_stream_power(&unbounded, 1, area)), 1 / d->power.slope_exponent),
             d->power.slope_limit);
    double bend = (0.5 * (ground->rise - ground->slope) + 0.01) * d->flow.cell;
    double room = fmax(fmin(graded_height(d, height, slope, x, y) - here, bend), 0);
    room = fmin(room, room_below_givers(d, height, x, y));
    return fmin(d->settling * fmax(sediment - carried, 0), room);
}

/* ---- Both ---- */

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
    double here = (double)before.height[i], mask = (double)d->mask[i], area = (double)after.area[i];
    double cells = d->flow.cell / d->power.reference_cell,
           power = ref_stream_power(&d->power, ground.slope, area);
    double strength = power / (cells * cells);
    double taken =
        fmin(d->creation * (d->hollows ? strength : power * cells), (double)before.source[i]) * mask;
    double sediment = came + (ground.slope > 0 ? 0 : (double)before.sediment[i]);
    double settled = mask * (d->hollows ? settled_in_hollow(d, &ground, here, sediment, strength)
                                        : settled_on_plain(d, &ground, before.height, area, sediment, x, y));
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
