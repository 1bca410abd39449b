/* The value of an uplift tree at a point: the reference for gles_shaders/lib/uplift.glsl, in double. */
#include <math.h>

#include "base/random.h"
#include "terrain/uplift/star_private.h"
#include "terrain/uplift/tree_private.h"

struct point {
    double x, y;
};

/* The nearest point of a segment with a radius that varies along it. */
struct nearness {
    double along, share; /* 0..1 along the segment, of the radius */
};

static struct nearness near_segment(const struct oro_uplift_segment *r, struct point p)
{
    double ax = (double)r->ax, ay = (double)r->ay, dx = (double)r->bx - ax, dy = (double)r->by - ay;
    double length = dx * dx + dy * dy;
    double t = length > 0 ? ((p.x - ax) * dx + (p.y - ay) * dy) / length : 0;
    t = fmin(fmax(t, 0), 1);
    double distance = hypot(p.x - ax - t * dx, p.y - ay - t * dy);
    return (struct nearness){t, distance / ((1 - t) * (double)r->radius_a + t * (double)r->radius_b)};
}

/* Eq. 6, with the distance to the segment. */
static double range_at(const struct oro_uplift_segment *r, struct point p)
{
    struct nearness n = near_segment(r, p);
    double fall = 1 - n.share * n.share;
    double uplift = (1 - n.along) * (double)r->uplift_a + n.along * (double)r->uplift_b;
    return n.share < 1 ? uplift * fall * fall * fall : -1;
}

static double valley_at(const struct oro_uplift_segment *r, const struct oro_op *op, struct point p)
{
    struct nearness n = near_segment(r, p);
    if (!(n.share < 1))
        return -1;
    double at = n.share * (ORO_VALLEY_POINTS - 1);
    size_t index = (size_t)fmin(at, ORO_VALLEY_POINTS - 2);
    double t = at - (double)index, rim = (1 - n.along) * (double)r->uplift_a + n.along * (double)r->uplift_b;
    return rim * ((1 - t) * oro_operand(op, 1 + index) + t * oro_operand(op, 2 + index));
}

/* Eq. 6 of many points that make up curves: oro_uplift_curves. */
static double curves_at(const struct oro_op *op, struct point p)
{
    double sum = 0;
    for (size_t i = 0; i < op->operands[0]; i++) {
        struct oro_uplift_segment r = oro_op_record(op, i);
        double share = hypot(p.x - (double)r.ax, p.y - (double)r.ay) / (double)r.radius_a;
        sum += share < 1 ? (double)r.uplift_a * pow(1 - share * share, 8) : 0;
    }
    return sum > 0 ? oro_operand(op, 1) * pow(sum, ORO_CURVE_ROOT) : -1;
}

static double lowest(double a, double b)
{
    return a < 0 ? b : b < 0 ? a : fmin(a, b);
}

static double group_at(const struct oro_op *op, struct point p)
{
    double value = -1;
    for (size_t i = 0; i < op->operands[0]; i++) {
        struct oro_uplift_segment record = oro_op_record(op, i);
        value = op->code == ORO_OP_RANGES ? fmax(value, range_at(&record, p))
                                          : lowest(value, valley_at(&record, op, p));
    }
    return value;
}

static double raster_at(const struct oro_op *op, struct point p)
{
    size_t width = op->operands[0], height = op->operands[1];
    double cell = oro_operand(op, 2);
    double x = fmin(fmax(p.x / cell - 0.5, 0), (double)(width - 1));
    double y = fmin(fmax(p.y / cell - 0.5, 0), (double)(height - 1));
    size_t i = (size_t)x, j = (size_t)y, right = i + 1 < width ? 1 : 0, below = j + 1 < height ? width : 0;
    double tx = x - (double)i, ty = y - (double)j;
    size_t at = 3 + j * width + i;
    double upper = (1 - tx) * oro_operand(op, at) + tx * oro_operand(op, at + right);
    double lower = (1 - tx) * oro_operand(op, at + below) + tx * oro_operand(op, at + below + right);
    return (1 - ty) * upper + ty * lower;
}

static double leaf_at(const struct oro_op *op, struct point p)
{
    switch (op->code) {
    case ORO_OP_STAR:
        return oro_star_at(op, p.x, p.y);
    case ORO_OP_CURVES:
        return curves_at(op, p);
    case ORO_OP_CONSTANT:
        return oro_operand(op, 0);
    case ORO_OP_RASTER:
        return raster_at(op, p);
    default:
        return group_at(op, p);
    }
}

/* Eq. 9; where only one is defined, the other counts as 0. */
static double blend(double a, double b, double weight)
{
    if (weight <= 0)
        return a;
    if (weight >= 1)
        return b;
    return a < 0 && b < 0 ? -1 : (1 - weight) * fmax(a, 0) + weight * fmax(b, 0);
}

/* `v`: the operands. */
static double operate(const struct oro_op *op, const double *v)
{
    switch (op->code) {
    case ORO_OP_MAX:
        return fmax(v[0], v[1]);
    case ORO_OP_MIN:
        return fmin(v[0], v[1]);
    case ORO_OP_ADD:
        return v[0] < 0 && v[1] < 0 ? -1 : fmin(fmax(v[0], 0) + fmax(v[1], 0), ORO_UPLIFT_VALUE_MAX);
    case ORO_OP_CARVE:
        return v[1] < 0 ? v[0] : fmin(v[0], v[1]);
    case ORO_OP_MULTIPLY:
        return v[0] < 0 || v[1] < 0 ? -1 : fmin(v[0] * v[1], ORO_UPLIFT_VALUE_MAX);
    case ORO_OP_LOWEST:
        return lowest(v[0], v[1]);
    case ORO_OP_SCALE:
        return v[0] < 0 ? -1 : fmin(v[0] * oro_operand(op, 0), ORO_UPLIFT_VALUE_MAX);
    default:
        return blend(v[0], v[1], v[2]);
    }
}

static struct point affine(const uint32_t *operands, struct point p)
{
    double m[ORO_AFFINE_WORDS];
    for (int i = 0; i < ORO_AFFINE_WORDS; i++)
        m[i] = (double)oro_float_of(operands[i]);
    double x = p.x - m[0], y = p.y - m[1];
    return (struct point){m[6] + m[2] * x + m[3] * y, m[7] + m[4] * x + m[5] * y};
}

/* The twist keeps the distance to the centre, so its inverse turns back by the angle of the point itself. */
static struct point untwist(const struct oro_op *op, struct point p)
{
    double x = p.x - oro_operand(op, 0), y = p.y - oro_operand(op, 1), radius = oro_operand(op, 2);
    double fall = fmax(1 - (x * x + y * y) / (radius * radius), 0);
    double angle = -oro_operand(op, 3) * fall * fall, c = cos(angle), s = sin(angle);
    return (struct point){oro_operand(op, 0) + c * x - s * y, oro_operand(op, 1) + s * x + c * y};
}

static double fade(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static double corner(uint32_t h, double x, double y)
{
    double angle = (double)(h >> 8u) * (6.28318530718 / 16777216.0);
    return cos(angle) * x + sin(angle) * y;
}

/* gradient_noise of gles_shaders/lib/noise.glsl, before its values are stretched: within sqrt(1/2). */
static double gradient_noise(double x, double y, uint32_t seed)
{
    double i = floor(x), j = floor(y), u = x - i, v = y - j;
    uint32_t column = (uint32_t)(int32_t)i, line = (uint32_t)(int32_t)j;
    uint32_t row = oro_random_hash(line + oro_random_hash(seed)),
             next = oro_random_hash(line + 1u + oro_random_hash(seed));
    double a = corner(oro_random_hash(column + row), u, v),
           b = corner(oro_random_hash(column + 1u + row), u - 1, v);
    double c = corner(oro_random_hash(column + next), u, v - 1),
           d = corner(oro_random_hash(column + 1u + next), u - 1, v - 1);
    double s = fade(u), t = fade(v);
    return (1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d);
}

static struct point unwarp(const struct oro_op *op, struct point p)
{
    double amplitude = oro_operand(op, 0), frequency = 1 / oro_operand(op, 1);
    struct point q = p;
    for (uint32_t i = 0; i < op->operands[2]; i++) {
        double x = p.x * frequency, y = p.y * frequency;
        q.x += amplitude * gradient_noise(x, y, oro_random_hash(op->operands[3] + 2 * i));
        q.y += amplitude * gradient_noise(x, y, oro_random_hash(op->operands[3] + 2 * i + 1));
        amplitude *= ORO_UPLIFT_NOISE_GAIN;
        frequency *= 2;
    }
    return q;
}

static struct point held(struct point p)
{
    const double most = ORO_UPLIFT_POSITION_MAX;
    return (struct point){fmin(fmax(p.x, -most), most), fmin(fmax(p.y, -most), most)};
}

static struct point move(const struct oro_op *op, struct point p)
{
    return held(op->code == ORO_OP_AFFINE  ? affine(op->operands, p)
                : op->code == ORO_OP_TWIST ? untwist(op, p)
                                           : unwarp(op, p));
}

/* ---- Copies ---- */

/* What is left of the bounds on work, which a tree from a file could make endless: evaluations of contents,
 * and of copies within each other. */
struct budget {
    size_t evaluations;
    int depth;
};
enum { EVALUATIONS_MAX = 1 << 16, DEPTH_MAX = 192 };

static double evaluate(const uint32_t *code, size_t words, struct point p, struct budget *budget);

static double put_copy(uint32_t method, double below, double copy, double weight)
{
    if (method == ORO_PASTE_BLEND)
        return blend(below, copy, weight);
    if (copy < 0)
        return below;
    double more = method == ORO_PASTE_ADD ? fmax(below, 0) + weight * copy : fmax(below, weight * copy);
    return fmin(more, ORO_UPLIFT_VALUE_MAX);
}

static double pasted_at(const struct oro_op *op, uint32_t count, struct point p, struct budget *budget);

/* What paste number `index` makes of the value below it. */
static double paste_over(const struct oro_op *op, const struct oro_pasted *paste, uint32_t index,
                         double value, struct point p, struct budget *budget)
{
    if (paste->cut)
        value = blend(value, -1, oro_region_at(paste, p.x, p.y));
    for (size_t i = 0; i < paste->places; i++) {
        struct point q = held(affine(paste->affines + i * ORO_AFFINE_WORDS, p));
        double weight = oro_region_at(paste, q.x, q.y);
        if (weight > 0)
            value = put_copy(paste->method, value, pasted_at(op, index, q, budget), weight);
    }
    return value;
}

/* The content with the first `count` pastes. */
static double pasted_at(const struct oro_op *op, uint32_t count, struct point p, struct budget *budget)
{
    if (budget->evaluations == 0 || budget->depth == 0)
        return -1;
    budget->evaluations--;
    budget->depth--;
    double value = evaluate(op->operands - ORO_OP_HEAD + op->length, op->operands[0], p, budget);
    struct oro_pasted paste = oro_pasted_first(op);
    for (uint32_t i = 0; i < count; i++) {
        value = paste_over(op, &paste, i, value, p, budget);
        if (i + 1 < count)
            paste = oro_pasted_next(&paste);
    }
    budget->depth++;
    return value;
}

/* ---- Trees ---- */

static double evaluate(const uint32_t *code, size_t words, struct point p, struct budget *budget)
{
    double values[ORO_VALUES_MAX] = {0};
    struct point points[ORO_POINTS_MAX] = {p};
    int value = 0, point = 0;
    for (size_t i = 0; i < words; i += code[i + 1]) {
        struct oro_op op = oro_op_at(&code[i]);
        int takes = oro_op_takes(op.code);
        if (op.code == ORO_OP_PASTE) {
            values[value++] = pasted_at(&op, op.operands[1], points[point], budget);
            i += op.length + op.operands[0]; /* to its RETURN */
        } else if (oro_op_opens(op.code)) {
            points[point + 1] = move(&op, points[point]);
            point++;
        } else if (op.code == ORO_OP_RETURN) {
            point--;
        } else {
            value -= takes;
            values[value] = takes > 0 ? operate(&op, &values[value]) : leaf_at(&op, points[point]);
            value++;
        }
    }
    return values[0];
}

double oro_uplift_at(const struct oro_uplift *tree, double x, double y)
{
    struct budget budget = {EVALUATIONS_MAX, DEPTH_MAX};
    if (!(fabs(x) <= ORO_UPLIFT_POSITION_MAX && fabs(y) <= ORO_UPLIFT_POSITION_MAX))
        return 0;
    return fmax(evaluate(tree->code, tree->words, (struct point){x, y}, &budget), 0);
}
