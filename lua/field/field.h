/*
 * Fields: the values that a script's function `field` computes with. A field is a raster of the size of the
 * node's outputs, or a constant, which stands for one; neither ever changes. Operations on whole fields are
 * written in C, run on all processors, and compute in float32, cell for cell, as kernels do.
 *
 * Scripts call them as methods or through the table `field`: f:blur(200) and field.blur(f, 200) are the same.
 * Fields and numbers mix: f + 1, field.max(0, f).
 */
#ifndef ORO_LUA_FIELD_FIELD_H
#define ORO_LUA_FIELD_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

#include "graph/type/node.h"

enum { ORO_FIELD_OPERANDS_MAX = 5 };

struct oro_field_function {
    const char *name;
    const char *arguments; /* as documentation shows them: "f, radius"; for an operator: "a + b" */
    const char *doc;
    int least, most;    /* number of values that it takes */
    lua_CFunction call; /* NULL: `each` computes it cell by cell */
    void (*each)(float *to, const float *const *x, size_t count);
    double cost; /* of `each`: steps per cell */
    bool maker;  /* makes fields from other things, so it is not a method */
};

/* The table `field`; ends with a zeroed one. Names that begin with two underscores are operators. */
extern const struct oro_field_function oro_field_functions[];

/* Makes the global table `field` unless it is there. A script may name its functions when it is read (local
 * smoothstep = field.smoothstep), but they raise errors except during oro_field_compute. Raises Lua
 * errors. */
int oro_field_open(lua_State *lua);

struct oro_script_work;
/* Computes what a script's function `field` gives. */
bool oro_field_compute(struct oro_script_work *work, struct oro_error *err);

#endif
