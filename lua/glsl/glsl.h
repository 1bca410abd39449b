/*
 * Makes kernels from scripts safe as text, before a driver sees them. A kernel is a part of a GLSL ES 3.1
 * compute shader: functions, constants and variables, among them `void cell(ivec2 p)`.
 *
 * A kernel is refused if it may be harmful, and changed where a change makes it harmless:
 * - Every loop takes from a budget of turns: its condition is joined with oro_step(turns, line). An exception
 * is a loop that counts from one whole number (or constant, or macro that is one) to another in at most 64
 * turns, with nothing in it that may change the counter: it is left as it is, so that compilers unroll it.
 * Such loops of a cell take at most 9000 turns together, counted once where they stand in a loop with a
 * budget, which pays for them at every turn.
 * - An index after the name of an array is clamped to the array; after anything else it must be a whole
 * number, so components of vectors are read as v.x, v.y. The size of an array is a whole number; all arrays
 * together have at most 1024 elements.
 * - Macros have no parameters, and stand for values: no statements, assignments, brackets, own functions, or
 * other macros. #if and the like stand between statements and enclose whole ones, with all their brackets.
 * #include takes lib/hash.glsl, noise, terrain, bicubic and number, and must come before everything else.
 * - Names must not begin with oro_ (except oro_position and oro_inside) or gl_. There are no structs, no
 * declarations of buffers, uniforms, shared and image variables, no barriers, atomics, backslashes,
 * recursion.
 * - Arrays are not copied or compared as a whole, other than as arguments of functions.
 * Comments are removed; lines keep their numbers. Works on text only; knows no device. What compilers take
 * too long for, or fail with, is not seen here: a kernel of unknown origin is first tried in another process.
 */
#ifndef ORO_LUA_GLSL_GLSL_H
#define ORO_LUA_GLSL_GLSL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum {
    ORO_GLSL_BYTES_MAX = 1 << 16,
    ORO_GLSL_BUDGET = 56000, /* turns of the loops of one cell that are not counted */
};

/* What is known about a kernel from its text. */
struct oro_glsl_facts {
    bool loops; /* some loop takes from the budget */
    bool own;   /* it obviously sets no cell but its own */
};

/* Adds the changed text to `out`. `hidden` are names that the kernel may not use, those of buffers (ends with
 * NULL). Fails with ORO_E_KERNEL; `*line` is the line of the error in the text, from 1. */
bool oro_glsl_guard(const char *text, const char *const *hidden, struct oro_text *out,
                    struct oro_glsl_facts *facts, int *line, struct oro_error *err);

/* For documentation: the functions that kernels may call besides their own; NULL after the last one. And the
 * files that kernels may include; ends with NULL. */
const char *oro_glsl_function(size_t index);
extern const char *const oro_glsl_includes[];

/* Whether inputs, outputs and buffers of kernels cannot have that name because it is a word of the language
 * or of the engine. */
bool oro_glsl_is_reserved(const char *name);

/* The line of `object.member` in a text that oro_glsl_guard has changed; 0: it does not occur. */
int oro_glsl_finds_member(const char *text, const char *object, const char *member);

/* Whether `name` occurs as a word outside of comments. */
bool oro_glsl_has_word(const char *text, const char *name);

#endif
