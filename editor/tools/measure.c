#include "editor/tools/measure.h"

#include <math.h>

static const double degrees = 57.29577951308232;

static bool on_picture(const struct ed_picture *picture, const double at[2])
{
    float value;
    return ed_picture_at(picture, at[0], at[1], 0, &value) && isfinite(value);
}

static double over_ground(const struct ed_picture *picture, const double a[2], const double b[2])
{
    enum { STEPS = 256 };
    double flat = hypot(b[0] - a[0], b[1] - a[1]) / STEPS, sum = 0;
    double last = (double)ed_picture_sample(picture, a[0], a[1], 0);
    for (int i = 1; i <= STEPS; i++) {
        double t = (double)i / STEPS;
        double height =
            (double)ed_picture_sample(picture, a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, 0);
        sum += hypot(flat, height - last);
        last = height;
    }
    return sum;
}

struct ed_distance ed_distance_of(const struct ed_picture *picture, const double a[2], const double b[2])
{
    struct ed_distance out = {.length = hypot(b[0] - a[0], b[1] - a[1])};
    if (!picture || !picture->data || !picture->terrain || !on_picture(picture, a) || !on_picture(picture, b))
        return out;
    out.has_height = true;
    out.rise =
        (double)ed_picture_sample(picture, b[0], b[1], 0) - (double)ed_picture_sample(picture, a[0], a[1], 0);
    out.slope = out.length > 0 ? atan2(out.rise, out.length) * degrees : 0;
    out.over_ground = over_ground(picture, a, b);
    return out;
}

double ed_slope_at(const struct ed_picture *picture, double x, double y)
{
    const double at[2] = {x, y};
    if (!picture || !picture->data || !on_picture(picture, at))
        return NAN;
    double cell = picture->grid.cell;
    double east =
        (double)(ed_picture_sample(picture, x + cell, y, 0) - ed_picture_sample(picture, x - cell, y, 0)) /
        (2 * cell);
    double south =
        (double)(ed_picture_sample(picture, x, y + cell, 0) - ed_picture_sample(picture, x, y - cell, 0)) /
        (2 * cell);
    return atan(hypot(east, south)) * degrees;
}

static double length_of(const double *points, int count)
{
    double length = 0;
    for (int i = 1; i < count; i++)
        length += hypot(points[2 * i] - points[2 * i - 2], points[2 * i + 1] - points[2 * i - 1]);
    return length;
}

void ed_along(const double *points, int count, double distance, double place[2])
{
    if (count < 1)
        return;
    place[0] = points[0];
    place[1] = points[1];
    for (int i = 1; i < count; i++) {
        const double *a = points + 2 * (i - 1), *b = points + 2 * i;
        double piece = hypot(b[0] - a[0], b[1] - a[1]);
        double t = piece > 0 && distance < piece ? distance / piece : 1;
        place[0] = a[0] + (b[0] - a[0]) * t;
        place[1] = a[1] + (b[1] - a[1]) * t;
        if (distance <= piece)
            return;
        distance -= piece;
    }
}

void ed_section_of(const struct ed_picture *picture, const double *points, int count,
                   struct ed_section *section)
{
    *section = (struct ed_section){.length = length_of(points, count), .low = INFINITY, .high = -INFINITY};
    if (count < 2 || section->length <= 0 || !picture || !picture->data)
        return;
    section->count = ED_PROFILE_SAMPLES;
    for (int i = 0; i < section->count; i++) {
        double place[2] = {0};
        ed_along(points, count, section->length * i / (section->count - 1), place);
        float value = on_picture(picture, place) ? ed_picture_sample(picture, place[0], place[1], 0) : NAN;
        section->values[i] = value;
        section->low = fmin(section->low, (double)value);
        section->high = fmax(section->high, (double)value);
    }
}

double ed_round_step(double range, int parts)
{
    if (!(range > 0) || parts < 1)
        return 1;
    double rough = range / parts, power = pow(10, floor(log10(rough))), share = rough / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}
