/* Strokes as lists of samples. */
#include "terrain/network/stroke.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/stroke_private.h"

bool oro_stroke_add(struct oro_stroke *stroke, struct oro_stroke_point point)
{
    if (!oro_reserve((void **)&stroke->items, &stroke->capacity, stroke->count + 1, sizeof *stroke->items))
        return false;
    stroke->items[stroke->count++] = point;
    return true;
}

void oro_stroke_free(struct oro_stroke *stroke)
{
    oro_free(stroke->items);
    *stroke = (struct oro_stroke){0};
}

static double distance(const struct oro_stroke_point *a, const struct oro_stroke_point *b)
{
    return hypot(b->x - a->x, b->y - a->y);
}

double oro_stroke_length(const struct oro_stroke *stroke)
{
    double length = 0;
    for (size_t i = 1; i < stroke->count; i++)
        length += distance(&stroke->items[i - 1], &stroke->items[i]);
    return length;
}

bool oro_stroke_is_ring(const struct oro_stroke *points)
{
    const struct oro_stroke_point *p = points->items;
    return points->count > 3 && p[0].x == p[points->count - 1].x && p[0].y == p[points->count - 1].y;
}

static struct oro_stroke_point mix(const struct oro_stroke_point *a, const struct oro_stroke_point *b,
                                   double t)
{
    return (struct oro_stroke_point){a->x + (b->x - a->x) * t, a->y + (b->y - a->y) * t,
                                     a->width + (b->width - a->width) * t,
                                     a->strength + (b->strength - a->strength) * t};
}

bool oro_stroke_even(const struct oro_stroke *line, double step, struct oro_stroke *even)
{
    double length = oro_stroke_length(line), passed = 0;
    even->count = 0;
    if (line->count == 0)
        return true;
    double parts = length > 0 && step > 0 ? fmin(fmax(round(length / step), 1), ORO_STROKE_SAMPLES - 1) : 0;
    size_t pieces = (size_t)parts, piece = 1;
    for (size_t k = 0; k < pieces; k++) {
        double at = length * (double)k / parts;
        double part = distance(&line->items[piece - 1], &line->items[piece]);
        while (piece + 1 < line->count && passed + part < at) {
            passed += part;
            piece++;
            part = distance(&line->items[piece - 1], &line->items[piece]);
        }
        double share = part > 0 ? fmin((at - passed) / part, 1) : 0;
        if (!oro_stroke_add(even, mix(&line->items[piece - 1], &line->items[piece], share)))
            return false;
    }
    return oro_stroke_add(even, line->items[line->count - 1]);
}

/* ---- Straight pieces ---- */

/* How far a sample is from what two others say of it. Widths count by their halves, which are the distances
 * at which a line's edges lie. */
static double deviation(const struct oro_stroke_point *a, const struct oro_stroke_point *b,
                        const struct oro_stroke_point *p, double per_strength)
{
    double dx = b->x - a->x, dy = b->y - a->y, length = dx * dx + dy * dy;
    double t = length > 0 ? ((p->x - a->x) * dx + (p->y - a->y) * dy) / length : 0;
    struct oro_stroke_point near = mix(a, b, fmin(fmax(t, 0), 1));
    double edge = fabs(p->width - near.width) / 2,
           strength = fabs(p->strength - near.strength) * per_strength;
    return fmax(fmax(distance(p, &near), edge), strength);
}

static size_t farthest(const struct oro_stroke *s, size_t from, size_t to, double per_strength, double *most)
{
    size_t found = from;
    *most = 0;
    for (size_t i = from + 1; i < to; i++) {
        double far = deviation(&s->items[from], &s->items[to], &s->items[i], per_strength);
        if (far > *most) {
            *most = far;
            found = i;
        }
    }
    return found;
}

bool oro_stroke_corners(const struct oro_stroke *samples, double tolerance, double per_strength,
                        struct oro_stroke *points)
{
    bool ok = true;
    size_t height = 0, from = 0;
    points->count = 0;
    if (samples->count == 0)
        return true;
    /* Ends of the pieces still to be looked at; the next one is on top. */
    size_t *ends = oro_alloc(samples->count + 1, sizeof *ends);
    if (!ends)
        return false;
    ok = oro_stroke_add(points, samples->items[0]);
    if (samples->count > 1)
        ends[height++] = samples->count - 1;
    while (ok && height > 0) {
        double most;
        size_t middle = farthest(samples, from, ends[height - 1], per_strength, &most);
        if (most > tolerance) {
            ends[height++] = middle;
            continue;
        }
        from = ends[--height];
        ok = oro_stroke_add(points, samples->items[from]);
    }
    oro_free(ends);
    return ok;
}

/* ---- Curves ---- */

bool oro_stroke_along(const struct oro_stroke *points, bool smooth, double step, struct oro_stroke *samples)
{
    enum { PIECES = 64 };
    struct oro_spline spline = oro_spline_of(points);
    struct oro_stroke dense = {0};
    if (!smooth || points->count < 3)
        return oro_stroke_even(points, step, samples);
    bool ok = true;
    for (size_t i = 0; ok && i <= (size_t)spline.pieces * PIECES; i++)
        ok = oro_stroke_add(&dense, oro_spline_at(&spline, (double)i / PIECES, NULL, NULL));
    ok = ok && oro_stroke_even(&dense, step, samples);
    oro_stroke_free(&dense);
    return ok;
}

void oro_stroke_relax(struct oro_stroke *samples, double x, double y, double radius, double amount)
{
    if (samples->count < 3)
        return;
    struct oro_stroke_point before = samples->items[0];
    for (size_t i = 1; i + 1 < samples->count; i++) {
        struct oro_stroke_point *p = &samples->items[i], own = *p;
        struct oro_stroke_point middle = mix(&before, &samples->items[i + 1], 0.5);
        double far = radius > 0 ? hypot(p->x - x, p->y - y) / radius : 1;
        if (far < 1)
            *p = mix(p, &middle, amount * (1 - far * far));
        before = own;
    }
}
