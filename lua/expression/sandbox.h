/*
 * The second and third layer around expressions: a Lua state that has the functions and constants of
 * lua/expression/functions.h and nothing else. No library is opened, strings have no methods; nothing that a
 * chunk assigns outlives it; steps and memory are limited.
 */
#ifndef ORO_LUA_EXPRESSION_SANDBOX_H
#define ORO_LUA_EXPRESSION_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "lua/expression/tokens.h"

enum {
    ORO_SANDBOX_STEPS = 100000,   /* Lua's virtual instructions in one evaluation */
    ORO_SANDBOX_MEMORY = 1 << 20, /* bytes beyond those of a new state */
};

struct oro_sandbox;
struct oro_sandbox *oro_sandbox_create(struct oro_error *err); /* ORO_E_MEMORY */
void oro_sandbox_destroy(struct oro_sandbox *sandbox);         /* NULL is allowed */

/* Runs `chunk`, any Lua source text, and gives the finite number that it returns. Fails with ORO_E_DOCUMENT,
 * or with ORO_E_MEMORY when the system has none. Must not be called while it runs. */
bool oro_sandbox_run(struct oro_sandbox *sandbox, const char *chunk, const struct oro_variable *variables,
                     size_t count, double *value, struct oro_error *err);

#endif
