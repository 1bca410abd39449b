/* Where a leaf of an uplift tree can be other than zero. */
#include <math.h>

#include "terrain/uplift/tree_private.h"

static const double everywhere[4] = {-INFINITY, -INFINITY, INFINITY, INFINITY};
static const double nowhere[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void copy(double to[4], const double from[4])
{
    memcpy(to, from, 4 * sizeof to[0]);
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

/* A curve lies within its control points. */
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
    if (oro_op_is_group(op->code)) {
        for (size_t i = 0; i < op->operands[0]; i++) {
            struct oro_uplift_segment record = oro_op_record(op, i);
            double own[4];
            oro_record_box(&record, own);
            unite(box, own);
        }
    } else if (op->code == ORO_OP_STAR) {
        star_box(op, box);
    } else if (op->code == ORO_OP_RASTER || oro_operand(op, 0) > 0) {
        copy(box, everywhere);
    }
    /* Kernels compute in floats, a little beside the numbers here. */
    double size = 0;
    for (int i = 0; i < 4; i++)
        size = isfinite(box[i]) ? fmax(size, fabs(box[i])) : size;
    for (int i = 0; i < 4; i++)
        box[i] += (i < 2 ? -1e-6 : 1e-6) * size;
}
