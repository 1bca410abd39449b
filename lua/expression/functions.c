#include "lua/expression/functions.h"

#include <math.h>
#include <string.h>

#define PI 3.141592653589793

#define ONE(name, value)                                                                                     \
    static double name(const double *x, int count)                                                           \
    {                                                                                                        \
        (void)count;                                                                                         \
        return value;                                                                                        \
    }
ONE(absolute, fabs(x[0]))
ONE(arc_cosine, acos(x[0]))
ONE(arc_sine, asin(x[0]))
ONE(arc_tangent, atan2(x[0], count > 1 ? x[1] : 1))
ONE(up, ceil(x[0]))
ONE(held, isnan(x[0]) ? x[0] : fmin(fmax(x[0], x[1]), x[2])) /* fmin and fmax would hide NaN */
ONE(cosine, cos(x[0]))
ONE(degrees, x[0] * (180 / PI))
ONE(exponential, exp(x[0]))
ONE(down, floor(x[0]))
ONE(remainder_of, fmod(x[0], x[1]))
ONE(mixed, x[0] * (1 - x[2]) + x[1] * x[2])
ONE(radians, x[0] * (PI / 180))
ONE(rounded, round(x[0]))
ONE(sign_of, isnan(x[0]) ? x[0] : (double)((x[0] > 0) - (x[0] < 0)))
ONE(sine, sin(x[0]))
ONE(root, sqrt(x[0]))
ONE(tangent, tan(x[0]))
#undef ONE

static double logarithm(const double *x, int count)
{
    if (count < 2)
        return log(x[0]);
    if (x[1] == 2)
        return log2(x[0]);
    return x[1] == 10 ? log10(x[0]) : log(x[0]) / log(x[1]);
}

/* Unlike fmin and fmax, these two return NaN if any argument is NaN, so that it is noticed. */
static double least_of(const double *x, int count)
{
    double result = x[0];
    for (int i = 1; i < count; i++)
        result = x[i] < result || isnan(x[i]) ? x[i] : result;
    return result;
}

static double most_of(const double *x, int count)
{
    double result = x[0];
    for (int i = 1; i < count; i++)
        result = x[i] > result || isnan(x[i]) ? x[i] : result;
    return result;
}

static double smooth(const double *x, int count)
{
    (void)count;
    if (isnan(x[0]) || isnan(x[1]) || isnan(x[2]))
        return NAN;
    if (x[0] == x[1])
        return x[2] < x[0] ? 0 : 1;
    double t = fmin(fmax((x[2] - x[0]) / (x[1] - x[0]), 0), 1);
    return t * t * (3 - 2 * t);
}

const struct oro_function oro_functions[] = {
    {"abs", 1, 1, absolute},
    {"acos", 1, 1, arc_cosine},
    {"asin", 1, 1, arc_sine},
    {"atan", 1, 2, arc_tangent},
    {"ceil", 1, 1, up},
    {"clamp", 3, 3, held},
    {"cos", 1, 1, cosine},
    {"deg", 1, 1, degrees},
    {"exp", 1, 1, exponential},
    {"floor", 1, 1, down},
    {"fmod", 2, 2, remainder_of},
    {"log", 1, 2, logarithm},
    {"max", 1, ORO_ARGUMENTS_MAX, most_of},
    {"min", 1, ORO_ARGUMENTS_MAX, least_of},
    {"mix", 3, 3, mixed},
    {"rad", 1, 1, radians},
    {"round", 1, 1, rounded},
    {"sign", 1, 1, sign_of},
    {"sin", 1, 1, sine},
    {"smoothstep", 3, 3, smooth},
    {"sqrt", 1, 1, root},
    {"tan", 1, 1, tangent},
};
const size_t oro_function_count = sizeof oro_functions / sizeof oro_functions[0];

const struct oro_named_number oro_constants[] = {{"huge", HUGE_VAL}, {"pi", PI}};
const size_t oro_constant_count = sizeof oro_constants / sizeof oro_constants[0];

static bool same(const char *known, const char *name, size_t length)
{
    return strncmp(known, name, length) == 0 && !known[length];
}

const struct oro_function *oro_find_function(const char *name, size_t length)
{
    for (size_t i = 0; i < oro_function_count; i++)
        if (same(oro_functions[i].name, name, length))
            return &oro_functions[i];
    return NULL;
}

const struct oro_named_number *oro_find_constant(const char *name, size_t length)
{
    for (size_t i = 0; i < oro_constant_count; i++)
        if (same(oro_constants[i].name, name, length))
            return &oro_constants[i];
    return NULL;
}
