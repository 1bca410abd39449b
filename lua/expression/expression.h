/*
 * Expressions on number inputs, in Lua 5.4: one expression, no statement, over numbers alone.
 *
 *   numbers     12  0.5  .5  1.5e3; all are doubles, so nothing wraps around
 *   operators   + - * / // (division rounded down) % ^ (power)  < <= > >= == ~=  and or not  ( )
 *   choice      relief > 1000 and 3 or 5
 *   constants   pi, huge (infinity)
 *   functions   abs acos asin atan(y[, x]) ceil clamp(x, low, high) cos deg exp floor fmod(x, y)
 *               log(x[, base]) max min mix(a, b, t) rad round sign sin smoothstep(a, b, x) sqrt tan;
 *               angles are in radians; all also as math.NAME
 *   variables   names that the program knows, and world.NAME
 *
 * Constants, functions and the words of Lua hide variables of the same name. Before anything is computed,
 * each variable is looked up once, from left to right, even in a branch that is not taken.
 *
 * Expressions come from files of any origin, so three layers confine them: the text may have no other tokens
 * than those above (lua/expression/tokens.h); the interpreter has no other functions, and no state that
 * outlives an evaluation; steps and memory are limited (lua/expression/sandbox.h). A text has at most 4096
 * bytes.
 *
 * The same expression with the same variables gives the same number on the same C library.
 */
#ifndef ORO_LUA_EXPRESSION_EXPRESSION_H
#define ORO_LUA_EXPRESSION_EXPRESSION_H

#include "graph/document/expression.h"

extern const struct oro_language oro_lua;

#endif
