/* The table of everything that scripts may do with fields, and the functions that work cell by cell. */
#include <math.h>
#include <string.h>

#include "lua/field/field_private.h"

/* Defines a function that computes `expression` from the values A, B and C of each cell. */
#define EACH(name, expression)                                                                               \
    static void name(float *to, const float *const *x, size_t count)                                         \
    {                                                                                                        \
        for (size_t i = 0; i < count; i++)                                                                   \
            to[i] = (expression);                                                                            \
    }
#define A x[0][i]
#define B x[1][i]
#define C x[2][i]

EACH(each_add, A + B)
EACH(each_subtract, A - B)
EACH(each_multiply, (A * B))
EACH(each_divide, A / B)
EACH(each_modulo, A - B * floorf(A / B))
EACH(each_power, powf(A, B))
EACH(each_negate, -A)
EACH(each_abs, fabsf(A))
EACH(each_sign, (float)(A > 0) - (float)(A < 0))
EACH(each_floor, floorf(A))
EACH(each_ceil, ceilf(A))
EACH(each_round, rintf(A))
EACH(each_fract, A - floorf(A))
EACH(each_sqrt, sqrtf(A))
EACH(each_exp, expf(A))
EACH(each_log, logf(A))
EACH(each_sin, sinf(A))
EACH(each_cos, cosf(A))
EACH(each_tan, tanf(A))
EACH(each_lt, A < B ? 1.0f : 0.0f)
EACH(each_le, A <= B ? 1.0f : 0.0f)
EACH(each_gt, A > B ? 1.0f : 0.0f)
EACH(each_ge, A >= B ? 1.0f : 0.0f)
EACH(each_eq, A == B ? 1.0f : 0.0f)
EACH(each_clamp, (A < B ? B : A > C ? C : A))
EACH(each_mix, (A * (1 - C) + B * C))
EACH(each_step, A < B ? 0.0f : 1.0f)
EACH(each_select, A > 0.5f ? B : C)

/* How far a lies from b to c, as an S-shaped curve. */
static float ramp(float a, float b, float c)
{
    float t = (a - b) / (c - b);
    t = t > 0 ? t < 1 ? t : 1 : 0; /* also if a == b == c, which has no answer */
    return t * t * (3 - 2 * t);
}
EACH(each_smoothstep, ramp(A, B, C))

/* Functions that take a varying number of values find NULL behind the last. */
static void each_atan(float *to, const float *const *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = x[1] ? atan2f(A, B) : atanf(A);
}

static void each_min(float *to, const float *const *x, size_t count)
{
    memcpy(to, x[0], count * sizeof *to);
    for (int k = 1; k < ORO_FIELD_OPERANDS_MAX && x[k]; k++)
        for (size_t i = 0; i < count; i++)
            to[i] = x[k][i] < to[i] ? x[k][i] : to[i];
}

static void each_max(float *to, const float *const *x, size_t count)
{
    memcpy(to, x[0], count * sizeof *to);
    for (int k = 1; k < ORO_FIELD_OPERANDS_MAX && x[k]; k++)
        for (size_t i = 0; i < count; i++)
            to[i] = x[k][i] > to[i] ? x[k][i] : to[i];
}

/* Steps per cell: of arithmetic, which memory limits, and of the functions of math.h. */
#define LIGHT 0.2
#define HEAVY 1.0
/* NOLINTBEGIN(bugprone-macro-parentheses): parts of initialisers */
#define ONE(word, function, price, text)                                                                     \
    {                                                                                                        \
        .name = word, .arguments = "f", .doc = text, .least = 1, .most = 1, .each = function, .cost = price  \
    }
#define TWO(word, names, function, price, text)                                                              \
    {                                                                                                        \
        .name = word, .arguments = names, .doc = text, .least = 2, .most = 2, .each = function,              \
        .cost = price                                                                                        \
    }
#define THREE(word, names, function, text)                                                                   \
    {                                                                                                        \
        .name = word, .arguments = names, .doc = text, .least = 3, .most = 3, .each = function,              \
        .cost = LIGHT                                                                                        \
    }
#define CALL(word, names, from, to, function, text)                                                          \
    {                                                                                                        \
        .name = word, .arguments = names, .doc = text, .least = from, .most = to, .call = function           \
    }
#define MAKER(word, names, from, to, function, text)                                                         \
    {                                                                                                        \
        .name = word, .arguments = names, .doc = text, .least = from, .most = to, .call = function,          \
        .maker = true                                                                                        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

const struct oro_field_function oro_field_functions[] = {
    TWO("__add", "a + b", each_add, LIGHT, "Sum"),
    TWO("__sub", "a - b", each_subtract, LIGHT, "Difference"),
    TWO("__mul", "a * b", each_multiply, LIGHT, "Product"),
    TWO("__div", "a / b", each_divide, LIGHT, "Quotient"),
    TWO("__mod", "a % b", each_modulo, LIGHT, "What is left of a over the next multiple of b below"),
    TWO("__pow", "a ^ b", each_power, HEAVY, "a to the power of b"),
    {.name = "__unm",
     .arguments = "-a",
     .doc = "The same with the other sign",
     .least = 1,
     .most = 2,
     .each = each_negate,
     .cost = LIGHT},
    CALL("__call", "f, x, y", 3, 3, oro_field_at, "f(x, y): as f:get(x, y)"),

    ONE("abs", each_abs, LIGHT, "Without its sign"),
    ONE("sign", each_sign, LIGHT, "-1, 0 or 1"),
    ONE("floor", each_floor, LIGHT, "The next whole number below"),
    ONE("ceil", each_ceil, LIGHT, "The next whole number above"),
    ONE("round", each_round, LIGHT, "The nearest whole number; the even one of two that are as near"),
    ONE("fract", each_fract, LIGHT, "What lies above the next whole number below: 0 to 1"),
    ONE("sqrt", each_sqrt, LIGHT, "Square root"),
    ONE("exp", each_exp, HEAVY, "e to the power of f"),
    ONE("log", each_log, HEAVY, "Natural logarithm"),
    ONE("sin", each_sin, HEAVY, "Sine of an angle in radians"),
    ONE("cos", each_cos, HEAVY, "Cosine of an angle in radians"),
    ONE("tan", each_tan, HEAVY, "Tangent of an angle in radians"),
    {.name = "atan",
     .arguments = "f [, x]",
     .doc = "The angle, in radians, whose tangent is f, or f / x",
     .least = 1,
     .most = 2,
     .each = each_atan,
     .cost = HEAVY},
    TWO("pow", "f, power", each_power, HEAVY, "f to a power"),
    {.name = "min",
     .arguments = "f, ...",
     .doc = "The least of up to five",
     .least = 1,
     .most = ORO_FIELD_OPERANDS_MAX,
     .each = each_min,
     .cost = LIGHT},
    {.name = "max",
     .arguments = "f, ...",
     .doc = "The greatest of up to five",
     .least = 1,
     .most = ORO_FIELD_OPERANDS_MAX,
     .each = each_max,
     .cost = LIGHT},
    THREE("clamp", "f, low, high", each_clamp, "f, or low where it is less, or high where it is more"),
    THREE("mix", "a, b, t", each_mix, "a where t is 0, b where t is 1, and mixed in between"),
    TWO("step", "f, edge", each_step, LIGHT, "1 where f is edge or more, else 0"),
    THREE("smoothstep", "f, low, high", each_smoothstep, "0 up to low, 1 from high on, smooth between"),
    TWO("lt", "a, b", each_lt, LIGHT, "1 where a < b, else 0"),
    TWO("le", "a, b", each_le, LIGHT, "1 where a <= b, else 0"),
    TWO("gt", "a, b", each_gt, LIGHT, "1 where a > b, else 0"),
    TWO("ge", "a, b", each_ge, LIGHT, "1 where a >= b, else 0"),
    TWO("eq", "a, b", each_eq, LIGHT, "1 where a and b are equal, else 0"),
    THREE("select", "mask, a, b", each_select, "a where mask is above 0.5, else b"),

    CALL("shift", "f, columns, rows", 3, 3, oro_field_shift,
         "Moved so many cells east and south; the edge's values follow behind"),
    CALL("sample", "f, columns, rows", 3, 3, oro_field_sample,
         "f at other places, which fields give in cells (see column, row); linear between cells"),
    CALL("blur", "f, radius", 2, 2, oro_field_blur, "Smoothed as by the node blur; radius in metres"),
    CALL("slope", "f", 1, 1, oro_field_slope, "How steep, in degrees, as by the node slope"),
    CALL("gradient", "f", 1, 1, oro_field_gradient,
         "Two fields: how much it rises to the east and to the south, per metre"),
    CALL("laplacian", "f", 1, 1, oro_field_laplacian,
         "Sum of the second derivatives, per metre: above 0 in hollows, below on ridges"),

    CALL("minimum", "f", 1, 1, oro_field_minimum, "The least value, a number"),
    CALL("maximum", "f", 1, 1, oro_field_maximum, "The greatest value, a number"),
    CALL("mean", "f", 1, 1, oro_field_mean, "The mean of all cells, a number"),
    CALL("sum", "f", 1, 1, oro_field_sum, "The sum of all cells, a number"),
    CALL("quantile", "f, q", 2, 2, oro_field_quantile,
         "The number that the part q of all cells lies below: 0 the least, 0.5 the median, 1 the greatest"),
    CALL("normalize", "f [, low, high]", 1, 3, oro_field_normalize,
         "Stretched so that it reaches from low to high (0 and 1)"),

    CALL("get", "f, x, y", 3, 3, oro_field_at,
         "The number at column x, row y, from 0; linear between cells, the edge's beyond it"),
    CALL("map", "f, change", 2, 2, oro_field_map,
         "What the function change(value, x, y) gives for each cell, row by row; slow"),
    MAKER("new", "value", 1, 1, oro_field_new, "The same value everywhere"),
    MAKER("build", "make", 1, 1, oro_field_build,
          "What the function make(x, y) gives for each column and row, row by row; slow"),
    MAKER("x", "", 0, 0, oro_field_x, "How far east the cells' centres lie, in metres"),
    MAKER("y", "", 0, 0, oro_field_y, "How far south the cells' centres lie, in metres"),
    MAKER("column", "", 0, 0, oro_field_column, "The cells' columns, from 0 in the west"),
    MAKER("row", "", 0, 0, oro_field_row, "The cells' rows, from 0 in the north"),
    MAKER("noise", "options", 0, 1, oro_field_noise,
          "Noise within -1..1. Options: feature (500), the size of its largest bumps in metres; octaves (6); "
          "roughness (0.5), how high each is over the one before; seed (0)"),
    {0},
};

const struct oro_field_function *oro_field_function(const char *name)
{
    const struct oro_field_function *function = oro_field_functions;
    while (function->name && strcmp(function->name, name) != 0)
        function++;
    return function;
}
