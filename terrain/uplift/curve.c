/* Stars: how far a point is from curves as a whole. gles_shaders/lib/uplift.glsl does the same in floats. */
#include <math.h>

#include "terrain/uplift/star_private.h"

void oro_piece_at(const struct oro_piece *piece, double s, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = piece->start[i] + s * (piece->along[i] + s * piece->bend[i]);
}

struct oro_piece oro_star_piece(const struct oro_op *op, size_t index)
{
    double f[ORO_PIECE_FLOATS];
    for (size_t i = 0; i < ORO_PIECE_FLOATS; i++)
        f[i] = oro_operand(op, ORO_STAR_HEAD + index * ORO_PIECE_FLOATS + i);
    return (struct oro_piece){{f[0], f[1]}, {f[2], f[3]}, {f[4], f[5]}};
}

void oro_star_vertex(const struct oro_op *op, size_t first, size_t count, size_t index, double out[2])
{
    size_t last = count * ORO_STAR_CHORDS;
    bool closed = first > 0; /* the boundary: it ends exactly where it began */
    size_t at = index < last ? index : closed ? 0 : last;
    struct oro_piece piece = oro_star_piece(op, first + (at < last ? at / ORO_STAR_CHORDS : count - 1));
    oro_piece_at(&piece, at < last ? (double)(at % ORO_STAR_CHORDS) / ORO_STAR_CHORDS : 1, out);
}

/* A curve as a point sees it. */
struct view {
    double pull;  /* integral of distance^-3 along it */
    double start; /* distances from its ends */
    double end;
    bool encloses; /* whether an odd number of chords lie to the right of the point */
};

/* The integral of distance^-3 along a chord, to whose ends a and b lead. */
static double pull_of(const double a[2], const double b[2], double from, double to)
{
    double both = from * to, facing = both + a[0] * b[0] + a[1] * b[1];
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    return length * (from + to) / fmax(both * fmax(facing, 1e-7 * both), 1e-30);
}

static struct view view_of(const struct oro_op *op, size_t first, size_t count, const double p[2])
{
    struct view view = {.pull = 0};
    for (size_t i = 0; i < count * ORO_STAR_CHORDS; i++) {
        double a[2], b[2];
        oro_star_vertex(op, first, count, i, a);
        oro_star_vertex(op, first, count, i + 1, b);
        for (int k = 0; k < 2; k++) {
            a[k] -= p[k];
            b[k] -= p[k];
        }
        double from = hypot(a[0], a[1]), to = hypot(b[0], b[1]);
        view.pull += pull_of(a, b, from, to);
        view.start = i == 0 ? from : view.start;
        view.end = to;
        if ((a[1] > 0) != (b[1] > 0) && a[0] - a[1] / (b[1] - a[1]) * (b[0] - a[0]) > 0)
            view.encloses = !view.encloses;
    }
    return view;
}

double oro_star_at(const struct oro_op *op, double x, double y)
{
    const double least = 1e-30, p[2] = {x - oro_operand(op, 3), y - oro_operand(op, 4)};
    struct view skeleton = view_of(op, 0, op->operands[0], p);
    struct view boundary = view_of(op, op->operands[0], op->operands[1], p);
    double ends =
        1 / fmax(skeleton.start * skeleton.start, least) + 1 / fmax(skeleton.end * skeleton.end, least);
    double near = sqrt(2 / (skeleton.pull + ends)), far = sqrt(2 / fmax(boundary.pull, least));
    double share = near / (near + far), fall = 1 - share * share;
    return boundary.encloses ? oro_operand(op, 2) * fall * fall * fall : -1;
}
