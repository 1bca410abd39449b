/*
 * The first layer around expressions: the tokens that a text may consist of. These are names, decimal
 * numbers, the operators of lua/expression/expression.h, matching parentheses, and commas within them; no
 * quotes, tables, statements, comments. A text that passes is one Lua expression, or a syntax error: no token
 * can begin a second statement, and without the word `function` there is no function body to hold one.
 */
#ifndef ORO_LUA_EXPRESSION_TOKENS_H
#define ORO_LUA_EXPRESSION_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum { ORO_EXPRESSION_MAX = 4096, ORO_VARIABLE_NAME = 128 };

/* A variable by the name that look_up knows: "relief", "world.seed". */
struct oro_variable {
    char name[ORO_VARIABLE_NAME];
    double value;
};

/* Free with oro_scanned_free. */
struct oro_scanned {
    struct oro_text lua;            /* the expression for Lua, with whole numbers as "7.0" */
    struct oro_variable *variables; /* in the order of their first use; values are 0 */
    size_t count, capacity;
};

/* Fails with ORO_E_DOCUMENT or ORO_E_MEMORY; `scanned` is to be freed then, too. */
bool oro_scan_expression(const char *text, struct oro_scanned *scanned, struct oro_error *err);
void oro_scanned_free(struct oro_scanned *scanned);

#endif
