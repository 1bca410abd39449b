/* Quadratic curves: nearest points and crossings. gles_shaders/lib/uplift.glsl does the same in floats. */
#include <math.h>

#include "terrain/uplift/star_private.h"

/* A crossing this far beyond a piece's end counts: it may have slipped through the joint. */
static const double joint = 1e-4;

enum { STEPS = 40 };

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

void oro_piece_at(const struct oro_piece *piece, double s, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = piece->start[i] + s * (piece->along[i] + s * piece->bend[i]);
}

/* A cubic c[0] + s c[1] + ..: half the derivative of the squared distance. */
static double cubic(const double c[4], double s)
{
    return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

/* Where the cubic crosses zero between `low` and `high`, between which it rises; if it does not cross, the
 * end that is nearer to zero. Takes Newton's steps, and halves where they leave the interval. */
static double rising_root(const double c[4], double low, double high)
{
    if (cubic(c, low) >= 0)
        return low;
    if (cubic(c, high) <= 0)
        return high;
    double s = 0.5 * (low + high);
    for (int i = 0; i < STEPS; i++) {
        double value = cubic(c, s), slope = c[1] + s * (2 * c[2] + s * 3 * c[3]);
        if (value < 0)
            low = s;
        else
            high = s;
        double next = slope > 0 ? s - value / slope : -1;
        s = next >= low && next <= high ? next : 0.5 * (low + high);
    }
    return s;
}

/* The squared distance has its minima where its derivative rises through zero: before the first and after the
 * second extremum of the cubic, at s[0] and s[1]; without these anywhere (false). A curve so straight that
 * the cubic is hardly one has none within it. */
static bool falls_between(const double c[4], double s[2])
{
    double part = c[2] * c[2] - 3 * c[1] * c[3];
    if (part <= 0 || c[3] <= 1e-6 * (fabs(c[1]) + fabs(c[2])))
        return false;
    double root = sqrt(part), first = -c[2] - (c[2] < 0 ? -root : root);
    double a = first / (3 * c[3]), b = first != 0 ? c[1] / first : 0;
    s[0] = fmin(fmax(fmin(a, b), 0), 1);
    s[1] = fmin(fmax(fmax(a, b), 0), 1);
    return true;
}

static double distance_at(const struct oro_piece *piece, double s, const double p[2])
{
    double at[2];
    oro_piece_at(piece, s, at);
    return hypot(at[0] - p[0], at[1] - p[1]);
}

/* Where on the piece, 0..1, its point nearest to p is. */
static double nearest_to(const struct oro_piece *piece, const double p[2])
{
    double from[2] = {piece->start[0] - p[0], piece->start[1] - p[1]}, ends[2];
    double c[4] = {dot(from, piece->along), dot(piece->along, piece->along) + 2 * dot(from, piece->bend),
                   3 * dot(piece->along, piece->bend), 2 * dot(piece->bend, piece->bend)};
    if (!falls_between(c, ends))
        return rising_root(c, 0, 1);
    double a = rising_root(c, 0, ends[0]), b = rising_root(c, ends[1], 1);
    return distance_at(piece, a, p) <= distance_at(piece, b, p) ? a : b;
}

/* Distance from `from` in the direction of the unit vector `towards` to where the piece is first met;
 * infinite if it is not. */
static double meets(const struct oro_piece *piece, const double from[2], const double towards[2])
{
    double across[2] = {-towards[1], towards[0]};
    double start[2] = {piece->start[0] - from[0], piece->start[1] - from[1]};
    double a = dot(across, piece->bend), b = dot(across, piece->along), c = dot(across, start);
    double part = b * b - 4 * a * c, nearest = INFINITY;
    if (part < 0)
        return nearest;
    double first = -0.5 * (b + (b < 0 ? -sqrt(part) : sqrt(part)));
    double s[2] = {first != 0 ? c / first : -1, a != 0 ? first / a : -1};
    for (int i = 0; i < 2; i++) {
        if (!(s[i] >= -joint && s[i] <= 1 + joint))
            continue;
        double at =
            dot(towards, start) + s[i] * (dot(towards, piece->along) + s[i] * dot(towards, piece->bend));
        if (at > 0 && at < nearest)
            nearest = at;
    }
    return nearest;
}

struct oro_piece oro_star_piece(const struct oro_op *op, size_t index)
{
    double f[ORO_PIECE_FLOATS];
    for (size_t i = 0; i < ORO_PIECE_FLOATS; i++)
        f[i] = oro_operand(op, ORO_STAR_HEAD + index * ORO_PIECE_FLOATS + i);
    return (struct oro_piece){{f[0], f[1]}, {f[2], f[3]}, {f[4], f[5]}};
}

/* The nearest point of the skeleton. */
static double skeleton_nearest(const struct oro_op *op, const double p[2], double q[2])
{
    double nearest = INFINITY;
    for (size_t i = 0; i < op->operands[0]; i++) {
        struct oro_piece piece = oro_star_piece(op, i);
        double at[2];
        oro_piece_at(&piece, nearest_to(&piece, p), at);
        double distance = hypot(at[0] - p[0], at[1] - p[1]);
        if (distance < nearest) {
            nearest = distance;
            q[0] = at[0];
            q[1] = at[1];
        }
    }
    return nearest;
}

double oro_star_at(const struct oro_op *op, double x, double y)
{
    double p[2] = {x - oro_operand(op, 3), y - oro_operand(op, 4)}, q[2] = {0, 0};
    double uplift = oro_operand(op, 2), distance = skeleton_nearest(op, p, q), reach = INFINITY;
    if (!(distance > 0))
        return uplift;
    double towards[2] = {(p[0] - q[0]) / distance, (p[1] - q[1]) / distance};
    for (size_t i = 0; i < op->operands[1]; i++) {
        struct oro_piece piece = oro_star_piece(op, op->operands[0] + i);
        reach = fmin(reach, meets(&piece, q, towards));
    }
    double share = distance / reach, fall = 1 - share * share;
    return isfinite(reach) && share < 1 ? uplift * fall * fall * fall : -1;
}
