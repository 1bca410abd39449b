/* Curves through strokes (Schneider 1990), as B-splines. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/stroke_private.h"

/* ---- The spline ---- */

struct oro_spline oro_spline_of(const struct oro_stroke *points)
{
    bool ring = oro_stroke_is_ring(points);
    size_t count = points->count - ring;
    int pieces = ring ? (int)count : count > 2 ? (int)count - 2 : 1;
    return (struct oro_spline){points->items, count, pieces, ring};
}

struct oro_spline_weights oro_spline_weigh(const struct oro_spline *spline, double u)
{
    struct oro_spline_weights w = {{0, 1, 1}, {0}, {0}, {0}};
    int piece = (int)fmin(fmax(floor(u), 0), spline->pieces - 1);
    double s = u - piece, t = 1 - s;
    if (spline->count < 3) {
        w.points[1] = w.points[2] = spline->count - 1;
        w.value[0] = t;
        w.value[1] = s;
        w.slope[0] = -1;
        w.slope[1] = 1;
        return w;
    }
    size_t middle = (size_t)piece + !spline->ring, n = spline->count;
    bool first = !spline->ring && piece == 0, last = !spline->ring && piece == spline->pieces - 1;
    const double bezier[3][3] = {{t * t, 2 * s * t, s * s}, {-2 * t, 2 - 4 * s, 2 * s}, {2, -4, 2}};
    double *out[3] = {w.value, w.slope, w.bend};
    w.points[0] = (middle + n - 1) % n;
    w.points[1] = middle;
    w.points[2] = (middle + 1) % n;
    /* The ends of an inner piece lie halfway between control points. */
    for (int k = 0; k < 3; k++) {
        out[k][0] = bezier[k][0] * (first ? 1 : 0.5);
        out[k][1] = bezier[k][1] + bezier[k][0] * (first ? 0 : 0.5) + bezier[k][2] * (last ? 0 : 0.5);
        out[k][2] = bezier[k][2] * (last ? 1 : 0.5);
    }
    return w;
}

struct oro_stroke_point oro_spline_at(const struct oro_spline *spline, double u, double slope[2],
                                      double bend[2])
{
    struct oro_spline_weights w = oro_spline_weigh(spline, u);
    struct oro_stroke_point at = {0};
    double d[2] = {0}, dd[2] = {0};
    for (int k = 0; k < 3; k++) {
        const struct oro_stroke_point *p = &spline->points[w.points[k]];
        at.x += w.value[k] * p->x;
        at.y += w.value[k] * p->y;
        at.width += w.value[k] * p->width;
        at.strength += w.value[k] * p->strength;
        d[0] += w.slope[k] * p->x;
        d[1] += w.slope[k] * p->y;
        dd[0] += w.bend[k] * p->x;
        dd[1] += w.bend[k] * p->y;
    }
    if (slope)
        memcpy(slope, d, sizeof d);
    if (bend)
        memcpy(bend, dd, sizeof dd);
    return at;
}

/* ---- Least squares ---- */

enum { SIDES = 4 }; /* x, y, width, strength */

struct fit {
    const struct oro_stroke *samples;
    struct oro_stroke_point *points;
    double *u;              /* of each sample */
    double *matrix, *right; /* normal equations: n x n, n x SIDES */
    struct oro_spline spline;
};

static void sides_of(const struct oro_stroke_point *p, double sides[SIDES])
{
    sides[0] = p->x;
    sides[1] = p->y;
    sides[2] = p->width;
    sides[3] = p->strength;
}

/* The ends of an open curve are those of the stroke, and no unknowns. */
static bool is_fixed(const struct fit *f, size_t point)
{
    return !f->spline.ring && (point == 0 || point == f->spline.count - 1);
}

/* Adds the equation that a sum of points, by weights, is to be `wanted`. */
static void add_equation(struct fit *f, const size_t points[3], const double weights[3],
                         const double wanted[SIDES], double weight)
{
    size_t n = f->spline.count;
    double rest[SIDES], own[SIDES];
    memcpy(rest, wanted, sizeof rest);
    for (int k = 0; k < 3; k++)
        if (is_fixed(f, points[k])) {
            sides_of(&f->points[points[k]], own);
            for (int c = 0; c < SIDES; c++)
                rest[c] -= weights[k] * own[c];
        }
    for (int k = 0; k < 3; k++) {
        if (is_fixed(f, points[k]))
            continue;
        for (int l = 0; l < 3; l++)
            if (!is_fixed(f, points[l]))
                f->matrix[points[k] * n + points[l]] += weight * weights[k] * weights[l];
        for (int c = 0; c < SIDES; c++)
            f->right[points[k] * SIDES + (size_t)c] += weight * weights[k] * rest[c];
    }
}

static void set_up(struct fit *f)
{
    static const double bent[3] = {1, -2, 1}, none[SIDES] = {0};
    size_t n = f->spline.count;
    memset(f->matrix, 0, n * n * sizeof *f->matrix);
    memset(f->right, 0, n * SIDES * sizeof *f->right);
    for (size_t i = 0; i < f->samples->count; i++) {
        struct oro_spline_weights w = oro_spline_weigh(&f->spline, f->u[i]);
        double wanted[SIDES];
        sides_of(&f->samples->items[i], wanted);
        add_equation(f, w.points, w.value, wanted, 1);
    }
    /* A trace of stiffness places points that no sample tells about. */
    double stiffness = 1e-5 * (double)f->samples->count / (double)n;
    for (size_t i = 0; i < n; i++) {
        const size_t points[3] = {(i + n - 1) % n, i, (i + 1) % n};
        if (!is_fixed(f, i))
            add_equation(f, points, bent, none, stiffness);
    }
    for (size_t i = 0; i < n; i++)
        if (is_fixed(f, i))
            f->matrix[i * n + i] = 1;
}

/* Only points within `reach` of each other meet in an equation: the rest of the matrix stays 0. */
static size_t first_of(size_t row, size_t reach)
{
    return row > reach ? row - reach : 0;
}

static size_t end_of(size_t row, size_t reach, size_t n)
{
    return row + reach < n ? row + reach + 1 : n;
}

/* Cholesky, in place. False: the equations tell too little. */
static bool factor(double *a, size_t n, size_t reach)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = first_of(j, reach); k < j; k++)
            a[j * n + j] -= a[j * n + k] * a[j * n + k];
        if (!(a[j * n + j] > 0))
            return false;
        a[j * n + j] = sqrt(a[j * n + j]);
        for (size_t i = j + 1; i < end_of(j, reach, n); i++) {
            for (size_t k = first_of(i, reach); k < j; k++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
    return true;
}

static void solve_side(const double *a, size_t n, size_t reach, double *right)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = first_of(i, reach); k < i; k++)
            right[i * SIDES] -= a[i * n + k] * right[k * SIDES];
        right[i * SIDES] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < end_of(i, reach, n); k++)
            right[i * SIDES] -= a[k * n + i] * right[k * SIDES];
        right[i * SIDES] /= a[i * n + i];
    }
}

static bool solve(struct fit *f)
{
    size_t n = f->spline.count, reach = f->spline.ring ? n : 2;
    if (!factor(f->matrix, n, reach))
        return false;
    for (size_t c = 0; c < SIDES; c++)
        solve_side(f->matrix, n, reach, f->right + c);
    for (size_t i = 0; i < n; i++)
        if (!is_fixed(f, i))
            f->points[i] = (struct oro_stroke_point){f->right[i * SIDES], f->right[i * SIDES + 1],
                                                     f->right[i * SIDES + 2], f->right[i * SIDES + 3]};
    return true;
}

/* ---- Parameters ---- */

/* Where a share of the length lies: the first and the last piece of an open curve are half as long again, as
 * they begin at a control point. */
static double parameter_at(const struct oro_spline *spline, double share)
{
    if (spline->ring || spline->pieces < 2)
        return share * spline->pieces;
    double at = share * (spline->pieces + 1), last = spline->pieces - 0.5;
    return at < 1.5 ? at / 1.5 : at < last ? at - 0.5 : spline->pieces - 1 + (at - last) / 1.5;
}

static void by_chord_length(struct fit *f)
{
    const struct oro_stroke_point *p = f->samples->items;
    double length = oro_stroke_length(f->samples), passed = 0;
    for (size_t i = 0; i < f->samples->count; i++) {
        passed += i ? hypot(p[i].x - p[i - 1].x, p[i].y - p[i - 1].y) : 0;
        f->u[i] = parameter_at(&f->spline, length > 0 ? passed / length : 0);
    }
}

/* One Newton step for each sample towards the nearest place of the curve. Returns the largest distance. */
static double approach(struct fit *f)
{
    double most = 0;
    for (size_t i = 0; i < f->samples->count; i++) {
        const struct oro_stroke_point *p = &f->samples->items[i];
        double d[2], dd[2];
        struct oro_stroke_point at = oro_spline_at(&f->spline, f->u[i], d, dd);
        double x = at.x - p->x, y = at.y - p->y;
        double slope = x * d[0] + y * d[1];
        double bend = d[0] * d[0] + d[1] * d[1] + x * dd[0] + y * dd[1];
        most = fmax(most, hypot(x, y));
        if (bend > 0)
            f->u[i] -= fmin(fmax(slope / bend, -0.5), 0.5);
        if (f->spline.ring)
            f->u[i] -= f->spline.pieces * floor(f->u[i] / f->spline.pieces);
        f->u[i] = fmin(fmax(f->u[i], 0), f->spline.pieces);
    }
    return most;
}

/* The largest distance that a curve of `count` points leaves, or the first that is small enough; infinite
 * where there is no curve. */
static double try_points(struct fit *f, size_t count, double tolerance)
{
    enum { ROUNDS = 24 };
    const struct oro_stroke_point *s = f->samples->items;
    bool ring = f->spline.ring;
    f->spline.count = count;
    f->spline.pieces = ring ? (int)count : count > 2 ? (int)count - 2 : 1;
    f->points[0] = s[0];
    f->points[count - 1] = s[f->samples->count - 1];
    by_chord_length(f);
    double most = INFINITY;
    for (int round = 0; round < ROUNDS && most > tolerance; round++) {
        set_up(f);
        if (!solve(f))
            return INFINITY;
        approach(f);
        most = approach(f);
    }
    return most;
}

static bool make_room(struct fit *f)
{
    f->points = oro_alloc(ORO_STROKE_POINTS + 1, sizeof *f->points);
    f->u = oro_alloc(f->samples->count, sizeof *f->u);
    f->matrix = oro_alloc((size_t)ORO_STROKE_POINTS * ORO_STROKE_POINTS, sizeof *f->matrix);
    f->right = oro_alloc((size_t)ORO_STROKE_POINTS * SIDES, sizeof *f->right);
    f->spline.points = f->points;
    return f->points && f->u && f->matrix && f->right;
}

static bool give(const struct fit *f, struct oro_stroke *points)
{
    bool ok = true;
    for (size_t i = 0; ok && i < f->spline.count; i++) {
        struct oro_stroke_point p = f->points[i];
        p.width = fmax(p.width, 0);
        p.strength = fmin(fmax(p.strength, 0), 1);
        ok = oro_stroke_add(points, p);
    }
    return ok && (!f->spline.ring || oro_stroke_add(points, points->items[0]));
}

bool oro_stroke_fit(const struct oro_stroke *samples, double tolerance, bool ring, struct oro_stroke *points)
{
    struct fit f = {.samples = samples, .spline = {.ring = ring && samples->count > 3}};
    points->count = 0;
    if (samples->count < 2)
        return samples->count == 0 || oro_stroke_add(points, samples->items[0]);
    bool ok = make_room(&f);
    size_t count = f.spline.ring ? 4 : 2, most = samples->count;
    most = most < ORO_STROKE_POINTS ? most : ORO_STROKE_POINTS;
    while (ok && !(try_points(&f, count, tolerance) <= tolerance) && count < most) {
        size_t more = count + 1 + count / 8;
        count = more < most ? more : most;
    }
    ok = ok && give(&f, points);
    oro_free(f.points);
    oro_free(f.u);
    oro_free(f.matrix);
    oro_free(f.right);
    return ok;
}
