/* Where a tree can be other than zero: boxes in place of values. */
#include <math.h>

#include "terrain/uplift/tree_private.h"

static const double everywhere[4] = {-INFINITY, -INFINITY, INFINITY, INFINITY};
static const double nowhere[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void copy(double to[4], const double from[4])
{
    memcpy(to, from, 4 * sizeof to[0]);
}

static bool is_empty(const double box[4])
{
    return box[0] > box[2] || box[1] > box[3];
}

static void include_point(double box[4], double x, double y)
{
    box[0] = fmin(box[0], x);
    box[1] = fmin(box[1], y);
    box[2] = fmax(box[2], x);
    box[3] = fmax(box[3], y);
}

/* The box around both. Written out, as many primitives go through here, and fmin is a call. */
static void unite(double a[4], const double b[4])
{
    a[0] = b[0] < a[0] ? b[0] : a[0];
    a[1] = b[1] < a[1] ? b[1] : a[1];
    a[2] = b[2] > a[2] ? b[2] : a[2];
    a[3] = b[3] > a[3] ? b[3] : a[3];
}

static void intersect(double a[4], const double b[4])
{
    a[0] = fmax(a[0], b[0]);
    a[1] = fmax(a[1], b[1]);
    a[2] = fmin(a[2], b[2]);
    a[3] = fmin(a[3], b[3]);
    if (is_empty(a))
        copy(a, nowhere);
}

/* Kernels compute in floats, a little beside the numbers here. */
static void widen(double box[4], double by)
{
    double size = 0;
    for (int i = 0; i < 4; i++)
        size = isfinite(box[i]) ? fmax(size, fabs(box[i])) : size;
    by += 1e-6 * size;
    for (int i = 0; i < 4; i++)
        box[i] += i < 2 ? -by : by;
}

/* ---- Leaves ---- */

/* The points that shape a curve lie around it. */
static void star_box(const struct oro_op *op, double box[4])
{
    double x = oro_operand(op, 3), y = oro_operand(op, 4);
    for (size_t i = 0; i < op->operands[1]; i++) {
        struct oro_piece p = oro_star_piece(op, op->operands[0] + i);
        for (int k = 0; k < 3; k++) {
            double half = 0.5 * k, bend = k == 2 ? 1 : 0;
            include_point(box, x + p.start[0] + half * p.along[0] + bend * p.bend[0],
                          y + p.start[1] + half * p.along[1] + bend * p.bend[1]);
        }
    }
}

void oro_leaf_box(const struct oro_op *op, double box[4])
{
    copy(box, nowhere);
    if (op->code == ORO_OP_RANGES || op->code == ORO_OP_VALLEYS) {
        for (size_t i = 0; i < op->operands[0]; i++) {
            struct oro_range record = oro_op_record(op, i);
            double own[4];
            oro_record_box(&record, own);
            unite(box, own);
        }
    } else if (op->code == ORO_OP_STAR) {
        star_box(op, box);
    } else if (op->code == ORO_OP_ELLIPSE) {
        double x = oro_operand(op, 0), y = oro_operand(op, 1);
        include_point(box, x - oro_operand(op, 2), y - oro_operand(op, 3));
        include_point(box, x + oro_operand(op, 2), y + oro_operand(op, 3));
    } else if (op->code == ORO_OP_RASTER || oro_operand(op, 0) > 0) {
        copy(box, everywhere);
    }
    widen(box, 0);
}

/* ---- Operators ---- */

/* `b`: boxes of the operands; the first becomes that of the result. */
static void operate(const struct oro_op *op, double (*b)[4])
{
    switch (op->code) {
    case ORO_OP_MIN:
    case ORO_OP_MULTIPLY:
        intersect(b[0], b[1]);
        break;
    case ORO_OP_CARVE:
        break;
    case ORO_OP_BLEND: /* b is there only where it has weight */
        intersect(b[1], b[2]);
        unite(b[0], b[1]);
        break;
    case ORO_OP_SCALE:
        if (!(oro_operand(op, 0) > 0))
            copy(b[0], nowhere);
        break;
    default:
        unite(b[0], b[1]);
        break;
    }
}

/* ---- Moves, forwards: from where a tree's points are to where they go ---- */

static void move_affine(const struct oro_op *op, double box[4])
{
    double a = oro_operand(op, 2), b = oro_operand(op, 3), c = oro_operand(op, 4), d = oro_operand(op, 5);
    double determinant = a * d - b * c, from[4];
    copy(from, box);
    if (determinant == 0 || !isfinite(from[0] + from[1] + from[2] + from[3])) {
        copy(box, everywhere);
        return;
    }
    copy(box, nowhere);
    for (int i = 0; i < 4; i++) {
        double x = from[i & 1 ? 2 : 0] - oro_operand(op, 6), y = from[i & 2 ? 3 : 1] - oro_operand(op, 7);
        include_point(box, oro_operand(op, 0) + (d * x - b * y) / determinant,
                      oro_operand(op, 1) + (a * y - c * x) / determinant);
    }
}

/* Whatever is within the radius stays so. */
static void move_twist(const struct oro_op *op, double box[4])
{
    double x = oro_operand(op, 0), y = oro_operand(op, 1), r = oro_operand(op, 2);
    double disc[4] = {x - r, y - r, x + r, y + r}, common[4];
    copy(common, box);
    intersect(common, disc);
    if (!is_empty(common))
        unite(box, disc);
}

/* Each octave displaces by at most its amplitude. */
static void move_noise(const struct oro_op *op, double box[4])
{
    double reach = 0, amplitude = oro_operand(op, 0);
    for (uint32_t i = 0; i < op->operands[2]; i++, amplitude *= ORO_UPLIFT_NOISE_GAIN)
        reach += amplitude;
    widen(box, reach);
}

static void move(const struct oro_op *op, double box[4])
{
    if (is_empty(box))
        return;
    if (op->code == ORO_OP_AFFINE)
        move_affine(op, box);
    else if (op->code == ORO_OP_TWIST)
        move_twist(op, box);
    else
        move_noise(op, box);
    widen(box, 0);
}

void oro_uplift_bounds(const struct oro_uplift *tree, double bounds[4])
{
    double boxes[ORO_VALUES_MAX][4] = {{0}};
    size_t moves[ORO_POINTS_MAX] = {0}; /* where their instructions are */
    int value = 0, point = 0;
    for (size_t i = 0; i < tree->words; i += tree->code[i + 1]) {
        struct oro_op op = oro_op_at(&tree->code[i]);
        int takes = oro_op_takes(op.code);
        if (oro_op_moves(op.code)) {
            moves[point++] = i;
        } else if (op.code == ORO_OP_RETURN) {
            op = oro_op_at(&tree->code[moves[--point]]);
            move(&op, boxes[value - 1]);
        } else {
            value -= takes;
            if (takes > 0)
                operate(&op, &boxes[value]);
            else
                oro_leaf_box(&op, boxes[value]);
            value++;
        }
    }
    copy(bounds, boxes[0]);
}
