/* Whether a program is valid: all that evaluation, bounds and compiling take for granted. The numbers are the
 * artist's, so the messages are written for the artist. */
#include <math.h>

#include "terrain/uplift/tree_private.h"

/* What is known while an instruction is looked at. */
struct walk {
    int values, points;
    struct {
        int before;         /* values below */
        size_t end;         /* where its RETURN must be; 0: anywhere */
    } open[ORO_POINTS_MAX]; /* instructions that wait for their RETURN */
    struct oro_error *err;
};

static bool damaged(const struct walk *w)
{
    return oro_fail(w->err, ORO_E_EVALUATE, "this uplift tree is damaged");
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high; /* false for what is not a number */
}

static bool is_position(double value)
{
    return within(value, -ORO_UPLIFT_POSITION_MAX, ORO_UPLIFT_POSITION_MAX);
}

static bool check_position(const struct walk *w, double x, double y, const char *what)
{
    return (is_position(x) && is_position(y)) ||
           oro_fail(w->err, ORO_E_EVALUATE, "%s lies more than 100,000 km from the world's corner: at %g, %g",
                    what, x, y);
}

static bool check_record(const struct walk *w, const struct oro_op *op, uint32_t index)
{
    const struct oro_uplift_segment r = oro_op_record(op, index);
    bool valley = op->code == ORO_OP_VALLEYS;
    const char *kind = valley ? "a valley" : op->code == ORO_OP_CURVES ? "a point of a curve" : "a range";
    double radii[2] = {(double)r.radius_a, (double)r.radius_b};
    double uplifts[2] = {(double)r.uplift_a, (double)r.uplift_b};
    if (!check_position(w, (double)r.ax, (double)r.ay, kind) ||
        !check_position(w, (double)r.bx, (double)r.by, kind))
        return false;
    for (int i = 0; i < 2; i++) {
        if (!(radii[i] > 0 && radii[i] <= 1e7))
            return oro_fail(w->err, ORO_E_EVALUATE,
                            "%s (number %u): the %s must be above 0 and at most 10,000 km, not %g m", kind,
                            index + 1, valley ? "width" : "radius", radii[i]);
        if (!within(uplifts[i], 0, 1e3))
            return oro_fail(w->err, ORO_E_EVALUATE,
                            "%s (number %u): the uplift must be from 0 to 1000 metres a year, not %g", kind,
                            index + 1, uplifts[i]);
    }
    return true;
}

static bool check_group(const struct walk *w, const struct oro_op *op)
{
    uint32_t head = oro_group_head(op->code), floats = oro_group_floats(op->code);
    uint32_t operands = op->length - ORO_OP_HEAD;
    if (operands < head || (operands - head) % floats != 0 || (operands - head) / floats != op->operands[0])
        return damaged(w);
    for (uint32_t i = 1; i < head; i++)
        if (!within(oro_operand(op, i), 0, 1e3))
            return oro_fail(w->err, ORO_E_EVALUATE, "%s must be from 0 to 1000, not %g",
                            op->code == ORO_OP_CURVES ? "a curve's uplift" : "a valley's profile",
                            oro_operand(op, i));
    for (uint32_t i = 0; i < op->operands[0]; i++)
        if (!check_record(w, op, i))
            return false;
    return true;
}

static bool check_star(const struct walk *w, const struct oro_op *op)
{
    uint32_t operands = op->length - ORO_OP_HEAD;
    if (operands < ORO_STAR_HEAD)
        return damaged(w);
    uint32_t skeleton = op->operands[0], boundary = op->operands[1];
    if (skeleton < 1 || skeleton > ORO_STAR_POINTS_MAX || boundary < 3 || boundary > ORO_STAR_POINTS_MAX ||
        operands != ORO_STAR_HEAD + (skeleton + boundary) * ORO_PIECE_FLOATS)
        return damaged(w);
    if (!within(oro_operand(op, 2), 0, 1e3))
        return oro_fail(w->err, ORO_E_EVALUATE,
                        "star: the uplift must be from 0 to 1000 metres a year, not %g", oro_operand(op, 2));
    for (uint32_t i = 3; i < operands; i++)
        if (!within(oro_operand(op, i), -8 * ORO_UPLIFT_POSITION_MAX, 8 * ORO_UPLIFT_POSITION_MAX))
            return check_position(w, oro_operand(op, i), 0, "a star");
    return true;
}

static bool check_raster(const struct walk *w, const struct oro_op *op)
{
    uint32_t operands = op->length - ORO_OP_HEAD;
    if (operands < 3)
        return damaged(w);
    uint32_t width = op->operands[0], height = op->operands[1];
    if (width < 1 || width > ORO_RASTER_SIDE_MAX || height < 1 || height > ORO_RASTER_SIDE_MAX ||
        (uint64_t)width * height != operands - 3)
        return damaged(w);
    if (!within(oro_operand(op, 2), 1e-6, 1e8))
        return oro_fail(w->err, ORO_E_EVALUATE, "raster: a cell of %g m", oro_operand(op, 2));
    for (uint32_t i = 3; i < operands; i++)
        if (!within(oro_operand(op, i), 0, ORO_UPLIFT_VALUE_MAX))
            return oro_fail(w->err, ORO_E_EVALUATE, "the field has a value that is no uplift: %g",
                            oro_operand(op, i));
    return true;
}

static bool check_number(const struct walk *w, const struct oro_op *op)
{
    double high = op->code == ORO_OP_SCALE ? 1e9 : 1e3;
    if (op->length != ORO_OP_HEAD + 1)
        return damaged(w);
    return within(oro_operand(op, 0), 0, high) ||
           oro_fail(w->err, ORO_E_EVALUATE, "%s must be from 0 to %g, not %g",
                    op->code == ORO_OP_SCALE ? "a factor" : "the uplift", high, oro_operand(op, 0));
}

static bool check_affine(const struct walk *w, const struct oro_op *op)
{
    if (op->length != ORO_OP_HEAD + 8)
        return damaged(w);
    for (size_t i = 2; i < 6; i++)
        if (!within(oro_operand(op, i), -2e6, 2e6))
            return damaged(w);
    return check_position(w, oro_operand(op, 0), oro_operand(op, 1), "where a tree is moved to") &&
           check_position(w, oro_operand(op, 6), oro_operand(op, 7), "the centre of a transform");
}

static bool check_twist(const struct walk *w, const struct oro_op *op)
{
    if (op->length != ORO_OP_HEAD + 4)
        return damaged(w);
    if (!check_position(w, oro_operand(op, 0), oro_operand(op, 1), "the centre of a twist"))
        return false;
    if (!within(oro_operand(op, 2), 1e-3, 1e7))
        return oro_fail(w->err, ORO_E_EVALUATE, "twist: the radius must be from 1 mm to 10,000 km, not %g m",
                        oro_operand(op, 2));
    return within(oro_operand(op, 3), -1e3, 1e3) ||
           oro_fail(w->err, ORO_E_EVALUATE, "twist: an angle of %g radians", oro_operand(op, 3));
}

static bool check_noise(const struct walk *w, const struct oro_op *op)
{
    if (op->length != ORO_OP_HEAD + 4)
        return damaged(w);
    double amplitude = oro_operand(op, 0), wavelength = oro_operand(op, 1);
    if (!within(wavelength, 1, 1e7))
        return oro_fail(w->err, ORO_E_EVALUATE, "noise: the wavelength must be from 1 m to 10,000 km, not %g",
                        wavelength);
    if (!within(amplitude, 0, 0.5000001 * wavelength))
        return oro_fail(w->err, ORO_E_EVALUATE,
                        "noise: the amplitude must be from 0 to half the wavelength (%g m), not %g: more "
                        "would fold the map",
                        wavelength / 2, amplitude);
    return (op->operands[2] >= 1 && op->operands[2] <= ORO_OCTAVES_MAX) ||
           oro_fail(w->err, ORO_E_EVALUATE, "noise: 1 to %d octaves", ORO_OCTAVES_MAX);
}

static bool check_bare(const struct walk *w, const struct oro_op *op)
{
    return op->length == ORO_OP_HEAD || damaged(w);
}

static bool check_operands(const struct walk *w, const struct oro_op *op)
{
    static bool (*const checks[ORO_OP_COUNT])(const struct walk *w, const struct oro_op *op) = {
        [ORO_OP_RANGES] = check_group, [ORO_OP_VALLEYS] = check_group,   [ORO_OP_STAR] = check_star,
        [ORO_OP_CURVES] = check_group, [ORO_OP_CONSTANT] = check_number, [ORO_OP_RASTER] = check_raster,
        [ORO_OP_SCALE] = check_number, [ORO_OP_AFFINE] = check_affine,   [ORO_OP_TWIST] = check_twist,
        [ORO_OP_NOISE] = check_noise,
    };
    return op->code == ORO_OP_PASTE ? oro_paste_check(op, w->err)
           : checks[op->code]       ? checks[op->code](w, op)
                                    : check_bare(w, op);
}

static bool too_deep(const struct walk *w)
{
    return oro_fail(w->err, ORO_E_LIMIT,
                    "the uplift tree is too deep: at most %d transforms, warps and copies within each other, "
                    "and %d operands that wait for each other",
                    ORO_POINTS_MAX - 1, ORO_VALUES_MAX);
}

/* Values that lie below the innermost point are out of reach. `at`: where the instruction begins. */
static bool walk_stack(struct walk *w, const struct oro_op *op, size_t at)
{
    int floor = w->points > 0 ? w->open[w->points - 1].before : 0, takes = oro_op_takes(op->code);
    if (oro_op_opens(op->code)) {
        if (w->points == ORO_POINTS_MAX - 1)
            return too_deep(w);
        w->open[w->points].before = w->values;
        w->open[w->points++].end = op->code == ORO_OP_PASTE ? at + op->length + op->operands[0] : 0;
        return true;
    }
    if (op->code == ORO_OP_RETURN) {
        if (w->points == 0 || w->values != w->open[--w->points].before + 1)
            return damaged(w);
        size_t end = w->open[w->points].end;
        return end == 0 || end == at || damaged(w);
    }
    if (w->values - takes < floor)
        return damaged(w);
    w->values += 1 - takes;
    return w->values <= ORO_VALUES_MAX || too_deep(w);
}

static bool is_code(uint32_t code)
{
    return code < ORO_OP_COUNT;
}

bool oro_uplift_check(const uint32_t *code, size_t words, struct oro_error *err)
{
    struct walk w = {.err = err};
    for (size_t i = 0; i < words;) {
        if (words - i < ORO_OP_HEAD)
            return damaged(&w);
        struct oro_op op = oro_op_at(&code[i]);
        if (!is_code(op.code) || op.length < ORO_OP_HEAD || op.length > words - i)
            return damaged(&w);
        if (!check_operands(&w, &op) || !walk_stack(&w, &op, i))
            return false;
        i += op.length;
    }
    return (w.values == 1 && w.points == 0) || damaged(&w);
}
