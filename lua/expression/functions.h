/* The functions and constants of expressions; functions take doubles, return a double, and have no side
 * effects. lua/expression/expression.h lists them. */
#ifndef ORO_LUA_EXPRESSION_FUNCTIONS_H
#define ORO_LUA_EXPRESSION_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { ORO_ARGUMENTS_MAX = 32 };

struct oro_function {
    const char *name;
    int least, most; /* how many arguments it takes */
    double (*compute)(const double *x, int count);
};
extern const struct oro_function oro_functions[];
extern const size_t oro_function_count;

struct oro_named_number {
    const char *name;
    double value;
};
extern const struct oro_named_number oro_constants[];
extern const size_t oro_constant_count;

/* Finds one by the first `length` bytes of `name`; NULL: there is none. */
const struct oro_function *oro_find_function(const char *name, size_t length);
const struct oro_named_number *oro_find_constant(const char *name, size_t length);

#endif
