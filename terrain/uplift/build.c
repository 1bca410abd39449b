/* Primitives and operators: uplift trees made out of numbers and of other trees. oro_uplift_check judges the
 * numbers. */
#include <math.h>

#include "base/memory.h"
#include "terrain/uplift/tree_private.h"

/* ---- Primitives ---- */

_Static_assert(sizeof(struct oro_uplift_segment) == ORO_RECORD_FLOATS * sizeof(float), "a record");
_Static_assert(sizeof(struct oro_valley) == sizeof(struct oro_uplift_segment), "both are one record");

enum { PRIMITIVES_MAX = 1 << 23 };

static bool few_enough(size_t count, struct oro_error *err)
{
    return count <= PRIMITIVES_MAX ||
           oro_fail(err, ORO_E_LIMIT, "at most %d primitives in a group, not %zu", PRIMITIVES_MAX, count);
}

struct oro_uplift *oro_uplift_ranges(const struct oro_uplift_segment *ranges, size_t count,
                                     struct oro_error *err)
{
    struct oro_words head = {.count = 0};
    oro_words_number(&head, (uint32_t)count);
    if (!few_enough(count, err))
        return NULL;
    return oro_uplift_leaf(ORO_OP_RANGES, &head, (struct oro_part){ranges, count * ORO_RECORD_FLOATS}, err);
}

struct oro_uplift *oro_uplift_valleys(const struct oro_valley *valleys, size_t count,
                                      const float profile[ORO_VALLEY_POINTS], struct oro_error *err)
{
    struct oro_words head = {.count = 0};
    oro_words_number(&head, (uint32_t)count);
    for (int i = 0; i < ORO_VALLEY_POINTS; i++)
        oro_words_float(&head, (double)profile[i]);
    if (!few_enough(count, err))
        return NULL;
    return oro_uplift_leaf(ORO_OP_VALLEYS, &head, (struct oro_part){valleys, count * ORO_RECORD_FLOATS}, err);
}

/* The integral of (1 - x^2)^8 from 0 to x. */
static double fall_integral(double x)
{
    static const double powers[9] = {1, -8, 28, -56, 70, -56, 28, -8, 1};
    double sum = 0, power = x;
    for (int i = 0; i < 9; i++) {
        sum += powers[i] * power / (2 * i + 1);
        power *= x * x;
    }
    return sum;
}

double oro_curve_length(double radii, size_t steps)
{
    double half = fmin(0.5 * radii, 1), all = fall_integral(1);
    return half < 1e-6 ? 2 * all / (double)steps : radii / (double)steps * all / fall_integral(half);
}

/* Weights stay near 1, whatever the uplift: they are relative to the highest. */
static void put_point(const struct oro_curve_point *point, double highest, float out[ORO_CURVE_FLOATS])
{
    double share = highest > 0 ? (double)point->uplift / highest : 0;
    out[0] = point->x;
    out[1] = point->y;
    out[2] = point->radius;
    out[3] = (float)((double)point->length / (2 * fall_integral(1)) * pow(share, 1 / ORO_CURVE_ROOT));
}

struct oro_uplift *oro_uplift_curves(const struct oro_curve_point *points, size_t count,
                                     struct oro_error *err)
{
    struct oro_words head = {.count = 0};
    float highest = 0,
          *floats = few_enough(count, err) ? oro_alloc(count + 1, ORO_CURVE_FLOATS * sizeof(float)) : NULL;
    if (!floats) {
        if (count <= PRIMITIVES_MAX)
            oro_fail(err, ORO_E_MEMORY, "no memory for %zu points of curves", count);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        highest = points[i].uplift > highest ? points[i].uplift : highest;
    for (size_t i = 0; i < count; i++)
        put_point(&points[i], (double)highest, floats + i * ORO_CURVE_FLOATS);
    oro_words_number(&head, (uint32_t)count);
    oro_words_float(&head, (double)highest);
    struct oro_uplift *tree =
        oro_uplift_leaf(ORO_OP_CURVES, &head, (struct oro_part){floats, count * ORO_CURVE_FLOATS}, err);
    oro_free(floats);
    return tree;
}

struct oro_uplift *oro_uplift_constant(float uplift, struct oro_error *err)
{
    struct oro_words words = {.count = 0};
    oro_words_float(&words, (double)uplift);
    return oro_uplift_leaf(ORO_OP_CONSTANT, &words, (struct oro_part){NULL, 0}, err);
}

static bool raster_size(int width, int height, struct oro_error *err)
{
    return (width >= 1 && width <= ORO_RASTER_SIDE_MAX && height >= 1 && height <= ORO_RASTER_SIDE_MAX &&
            (int64_t)width * height <= ORO_RASTER_CELLS_MAX) ||
           oro_fail(err, ORO_E_EVALUATE, "a raster of %d x %d cells", width, height);
}

struct oro_uplift *oro_uplift_raster(const float *values, int width, int height, double cell,
                                     struct oro_error *err)
{
    struct oro_words head = {.count = 0};
    if (!raster_size(width, height, err))
        return NULL;
    size_t count = (size_t)width * (size_t)height;
    float *held = oro_alloc(count, sizeof *held);
    if (!held) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a raster of %d x %d cells", width, height);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        held[i] = values[i] < 0 ? 0 : values[i];
    oro_words_number(&head, (uint32_t)width);
    oro_words_number(&head, (uint32_t)height);
    oro_words_float(&head, cell);
    struct oro_uplift *tree = oro_uplift_leaf(ORO_OP_RASTER, &head, (struct oro_part){held, count}, err);
    oro_free(held);
    return tree;
}

/* ---- Operators ---- */

static struct oro_part whole(const struct oro_uplift *tree)
{
    return (struct oro_part){tree->code, tree->words};
}

/* Trees, then an instruction that acts on their values. */
static struct oro_uplift *operate(const struct oro_uplift *const *trees, size_t count, uint32_t code,
                                  const struct oro_words *operands, struct oro_error *err)
{
    uint32_t head[ORO_OP_HEAD] = {code, (uint32_t)(ORO_OP_HEAD + operands->count)};
    struct oro_part parts[5];
    for (size_t i = 0; i < count; i++)
        parts[i] = whole(trees[i]);
    parts[count] = (struct oro_part){head, ORO_OP_HEAD};
    parts[count + 1] = (struct oro_part){operands->words, operands->count};
    return oro_uplift_join(parts, count + 2, err);
}

/* Whether a tree is one group of ranges and nothing else. */
static bool is_group(const struct oro_uplift *tree)
{
    return tree->code[0] == ORO_OP_RANGES && tree->code[1] == tree->words;
}

/* The highest of two groups is one group. */
static struct oro_uplift *join_groups(const struct oro_uplift *a, const struct oro_uplift *b,
                                      struct oro_error *err)
{
    enum { HEAD = ORO_OP_HEAD + 1 };
    size_t count = (size_t)a->code[ORO_OP_HEAD] + b->code[ORO_OP_HEAD];
    uint32_t head[HEAD] = {ORO_OP_RANGES, (uint32_t)(HEAD + count * ORO_RECORD_FLOATS), (uint32_t)count};
    struct oro_part parts[] = {
        {head, HEAD}, {a->code + HEAD, a->words - HEAD}, {b->code + HEAD, b->words - HEAD}};
    return few_enough(count, err) ? oro_uplift_join(parts, 3, err) : NULL;
}

/* Whether a tree consists of valleys alone, which may be moved about. */
static bool is_valleys(const struct oro_uplift *tree)
{
    bool valleys = true;
    for (size_t i = 0; valleys && i < tree->words; i += tree->code[i + 1]) {
        uint32_t code = tree->code[i];
        valleys = code == ORO_OP_VALLEYS || code == ORO_OP_LOWEST || code == ORO_OP_SCALE ||
                  code == ORO_OP_RETURN || (oro_op_opens(code) && code != ORO_OP_PASTE);
    }
    return valleys;
}

struct oro_uplift *oro_uplift_combine(const struct oro_uplift *a, const struct oro_uplift *b,
                                      enum oro_uplift_combine how, struct oro_error *err)
{
    static const uint32_t codes[] = {[ORO_UPLIFT_MAX] = ORO_OP_MAX,
                                     [ORO_UPLIFT_MIN] = ORO_OP_MIN,
                                     [ORO_UPLIFT_ADD] = ORO_OP_ADD,
                                     [ORO_UPLIFT_CARVE] = ORO_OP_CARVE,
                                     [ORO_UPLIFT_MULTIPLY] = ORO_OP_MULTIPLY};
    const struct oro_uplift *trees[] = {a, b};
    if (how == ORO_UPLIFT_MAX && is_group(a) && is_group(b))
        return join_groups(a, b, err);
    uint32_t code = how == ORO_UPLIFT_MIN && is_valleys(a) && is_valleys(b) ? ORO_OP_LOWEST : codes[how];
    return operate(trees, 2, code, &(struct oro_words){.count = 0}, err);
}

struct oro_uplift *oro_uplift_blend(const struct oro_uplift *a, const struct oro_uplift *b,
                                    const struct oro_uplift *weight, struct oro_error *err)
{
    const struct oro_uplift *trees[] = {a, b, weight};
    return operate(trees, 3, ORO_OP_BLEND, &(struct oro_words){.count = 0}, err);
}

struct oro_uplift *oro_uplift_scale(const struct oro_uplift *tree, float factor, struct oro_error *err)
{
    struct oro_words words = {.count = 0};
    oro_words_float(&words, (double)factor);
    return operate(&tree, 1, ORO_OP_SCALE, &words, err);
}

static bool check_scale(double scale, struct oro_error *err)
{
    return (fabs(scale) >= 1e-6 && fabs(scale) <= 1e6) ||
           oro_fail(err, ORO_E_EVALUATE,
                    "a scale must be from 0.000001 to 1000000, or that below 0 to mirror, not %g", scale);
}

/* p = centre + S^-1 R^-1 (p' - centre - move). */
bool oro_affine_words(const struct oro_affine *affine, struct oro_words *words, struct oro_error *err)
{
    const double *scale = affine->scale;
    double c = cos(affine->angle), s = sin(affine->angle);
    if (!check_scale(scale[0], err) || !check_scale(scale[1], err))
        return false;
    const double operands[ORO_AFFINE_WORDS] = {affine->centre[0] + affine->move[0],
                                               affine->centre[1] + affine->move[1],
                                               c / scale[0],
                                               s / scale[0],
                                               -s / scale[1],
                                               c / scale[1],
                                               affine->centre[0],
                                               affine->centre[1]};
    for (int i = 0; i < ORO_AFFINE_WORDS; i++)
        oro_words_float(words, operands[i]);
    return true;
}

struct oro_uplift *oro_uplift_transform(const struct oro_uplift *tree, const struct oro_affine *affine,
                                        struct oro_error *err)
{
    struct oro_words words = {.count = 0};
    return oro_affine_words(affine, &words, err) ? oro_uplift_moved(ORO_OP_AFFINE, &words, tree, err) : NULL;
}

struct oro_uplift *oro_uplift_twist(const struct oro_uplift *tree, const double centre[2], double radius,
                                    double angle, struct oro_error *err)
{
    struct oro_words words = {.count = 0};
    oro_words_float(&words, centre[0]);
    oro_words_float(&words, centre[1]);
    oro_words_float(&words, radius);
    oro_words_float(&words, angle);
    return oro_uplift_moved(ORO_OP_TWIST, &words, tree, err);
}

struct oro_uplift *oro_uplift_noise(const struct oro_uplift *tree, double amplitude, double wavelength,
                                    int octaves, uint32_t seed, struct oro_error *err)
{
    struct oro_words words = {.count = 0};
    oro_words_float(&words, amplitude);
    oro_words_float(&words, wavelength);
    oro_words_number(&words, octaves > 0 ? (uint32_t)octaves : 0);
    oro_words_number(&words, seed);
    return oro_uplift_moved(ORO_OP_NOISE, &words, tree, err);
}
