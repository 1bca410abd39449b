/* Shared by field*.c. Functions that take a state raise Lua errors. */
#ifndef ORO_LUA_FIELD_FIELD_PRIVATE_H
#define ORO_LUA_FIELD_FIELD_PRIVATE_H

#include <stdint.h>

#include "graph/type/node.h"
#include "lua/field/field.h"
#include "lua/field/rasters.h"

/* The evaluation that fields belong to. */
struct oro_space {
    struct oro_script_work *work;
    struct oro_grid grid;
    uint64_t seed;
};

/* An operand of a function: the cells of a field, or NULL if it is `value` everywhere. The cells live as long
 * as the field is on the stack. */
struct oro_operand {
    const float *data;
    float value;
};

static inline float oro_operand_at(const struct oro_operand *operand, size_t cell)
{
    return operand->data ? operand->data[cell] : operand->value;
}

void oro_field_set_space(lua_State *lua, struct oro_space *space);
struct oro_space *oro_field_space(lua_State *lua);

/* Pushes a field whose cells the caller fills before it returns to the script. */
float *oro_field_push(lua_State *lua);
void oro_field_push_constant(lua_State *lua, float value);
/* `data` must outlive the state. */
void oro_field_push_borrowed(lua_State *lua, const float *data);
/* Pushes memory, which lives as long as it is on the stack. */
void *oro_field_scratch(lua_State *lua, size_t count, size_t size);

/* False: the value is neither a field nor a number. */
bool oro_field_get(lua_State *lua, int index, struct oro_operand *operand);
/* A field or a number; and a field, or a number that stands for one. */
struct oro_operand oro_field_operand(lua_State *lua, int index);
/* A finite number. */
double oro_field_number(lua_State *lua, int index);

/* Pays `cost` steps per cell and calls row(user, y) for all rows, on all processors. Once the evaluation is
 * stopped, the remaining rows are not computed. */
void oro_field_rows(lua_State *lua, double cost, void (*row)(void *user, int y), void *user);
/* The same for parts of 0..count that are not rows; costs `cost` steps in all. */
void oro_field_parts(lua_State *lua, size_t count, double cost, void (*part)(void *user, size_t number),
                     void *user);
/* Pushes the field that `function` (one with `each`) gives for the operands. */
void oro_field_each(lua_State *lua, const struct oro_field_function *function,
                    const struct oro_operand *operands, int count);
/* The function of that name in oro_field_functions. */
const struct oro_field_function *oro_field_function(const char *name);

/* The functions of oro_field_functions, by file. */
int oro_field_new(lua_State *lua);
int oro_field_x(lua_State *lua);
int oro_field_y(lua_State *lua);
int oro_field_column(lua_State *lua);
int oro_field_row(lua_State *lua);
int oro_field_build(lua_State *lua);
int oro_field_map(lua_State *lua);
int oro_field_at(lua_State *lua);
int oro_field_noise(lua_State *lua);
int oro_field_shift(lua_State *lua);
int oro_field_sample(lua_State *lua);
int oro_field_slope(lua_State *lua);
int oro_field_gradient(lua_State *lua);
int oro_field_laplacian(lua_State *lua);
int oro_field_blur(lua_State *lua);
int oro_field_minimum(lua_State *lua);
int oro_field_maximum(lua_State *lua);
int oro_field_mean(lua_State *lua);
int oro_field_sum(lua_State *lua);
int oro_field_quantile(lua_State *lua);
int oro_field_normalize(lua_State *lua);

#endif
