/* Links as curves. */
#include "editor/canvas/model.h"

#include <math.h>

struct ed_curve ed_curve_between(double x0, double y0, double x1, double y1)
{
    double along = x1 - x0, across = fabs(y1 - y0);
    /* A link that leads backwards swings wide, so that it still visibly leaves to the right and arrives from
     * the left. */
    double bend = along > 0 ? fmax(along * 0.5, fmin(40, across * 0.5)) : fmin(60 - along * 0.4, 220);
    bend = fmin(bend, 260);
    if (along < 0 && across < 1)
        bend = fmin(bend, 80);
    struct ed_curve curve = {{x0, x0 + bend, x1 - bend, x1}, {y0, y0, y1, y1}};
    return curve;
}

bool ed_wire_curve(const struct ed_model *model, const struct ed_wire *wire, struct ed_curve *curve)
{
    double x0, y0, x1, y1;
    const struct ed_item *to = &model->items[wire->to];
    ed_socket_place(to, &to->inputs[wire->input], &x1, &y1);
    bool whole = wire->from != ED_NO_INDEX && wire->output != ED_NO_INDEX;
    if (whole) {
        const struct ed_item *from = &model->items[wire->from];
        ed_socket_place(from, &from->outputs[wire->output], &x0, &y0);
    } else {
        x0 = x1 - 40;
        y0 = y1;
    }
    *curve = ed_curve_between(x0, y0, x1, y1);
    return whole;
}

struct ed_area ed_curve_box(const struct ed_curve *curve)
{
    struct ed_area box = ed_no_area;
    for (int i = 0; i < 4; i++)
        ed_area_add(&box, curve->x[i], curve->y[i]);
    return box;
}

void ed_curve_at(const struct ed_curve *curve, double t, double *x, double *y)
{
    double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    *x = a * curve->x[0] + b * curve->x[1] + c * curve->x[2] + d * curve->x[3];
    *y = a * curve->y[0] + b * curve->y[1] + c * curve->y[2] + d * curve->y[3];
}

enum { PIECES = 24 };

static double to_segment(double ax, double ay, double bx, double by, double x, double y)
{
    double dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - ax) * dx + (y - ay) * dy) / length : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(ax + t * dx - x, ay + t * dy - y);
}

double ed_curve_distance(const struct ed_curve *curve, double x, double y)
{
    double least = HUGE_VAL, ax, ay, bx, by;
    ed_curve_at(curve, 0, &ax, &ay);
    for (int i = 1; i <= PIECES; i++) {
        ed_curve_at(curve, (double)i / PIECES, &bx, &by);
        least = fmin(least, to_segment(ax, ay, bx, by, x, y));
        ax = bx;
        ay = by;
    }
    return least;
}

static double side(double ax, double ay, double bx, double by, double x, double y)
{
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

static bool cross(const double a[2], const double b[2], const double c[2], const double d[2], double at[2])
{
    double ca = side(c[0], c[1], d[0], d[1], a[0], a[1]), cb = side(c[0], c[1], d[0], d[1], b[0], b[1]);
    double ac = side(a[0], a[1], b[0], b[1], c[0], c[1]), ad = side(a[0], a[1], b[0], b[1], d[0], d[1]);
    if (ca * cb > 0 || ac * ad > 0 || ca == cb)
        return false;
    double t = ca / (ca - cb);
    at[0] = a[0] + t * (b[0] - a[0]);
    at[1] = a[1] + t * (b[1] - a[1]);
    return true;
}

bool ed_curve_crossed(const struct ed_curve *curve, double ax, double ay, double bx, double by, double *x,
                      double *y)
{
    double a[2] = {ax, ay}, b[2] = {bx, by}, c[2], d[2], at[2];
    ed_curve_at(curve, 0, &c[0], &c[1]);
    for (int i = 1; i <= PIECES; i++) {
        ed_curve_at(curve, (double)i / PIECES, &d[0], &d[1]);
        if (cross(c, d, a, b, at)) {
            *x = at[0];
            *y = at[1];
            return true;
        }
        c[0] = d[0];
        c[1] = d[1];
    }
    return false;
}

bool ed_curve_meets(const struct ed_curve *curve, const struct ed_area *box)
{
    struct ed_area bounds = ed_curve_box(curve);
    double x, y;
    if (!ed_areas_meet(&bounds, box))
        return false;
    for (int i = 0; i <= PIECES; i++) {
        ed_curve_at(curve, (double)i / PIECES, &x, &y);
        if (ed_area_holds(box, x, y))
            return true;
    }
    return ed_curve_crossed(curve, box->x0, box->y0, box->x1, box->y1, &x, &y) ||
           ed_curve_crossed(curve, box->x0, box->y1, box->x1, box->y0, &x, &y);
}
