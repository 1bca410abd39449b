/*
 * Kernels from scripts, made safe as text, before a driver sees them. A kernel is a part of a GLSL ES 3.1
 * compute shader: functions, constants and variables, among them `void cell(ivec2 p)`.
 *
 * It is refused where it is not sure to be harmless, and changed where that makes it so:
 * - Every loop takes from a budget: its condition is joined with oro_step(cost, line). A loop that counts
 * from one whole number (or constant, or macro that is one) to another in at most 64 turns, with nothing in
 * it that may change the counter, is left as it is, so that compilers unroll it; such loops within each other
 * up to 4096 turns. All counted loops of a cell take at most 9000 turns; those with a budget some 50 000,
 * fewer where a turn does much; there are at most 32 of these, 8 within each other.
 * - What stands in brackets behind an array's name is held within the array; behind anything else it must be
 * a whole number: of a vector take v.x, v.y. Arrays have a whole number of elements, 1024 in all.
 * - Macros have no parameters, and stand for values: no statements, assignments, brackets, own functions,
 * other macros. #if and its kin stand between statements and hold whole ones, with all their brackets.
 * #include takes lib/hash.glsl, noise, terrain, bicubic and number, and stands before all else.
 * - There are no names that begin with oro_ (but oro_position and oro_inside) or gl_, no structs,
 * declarations of buffers, uniforms, shared and image variables, barriers, atomics, backslashes, recursion.
 * - With every call in its place, and loops over arrays unrolled, it must not be too long for compilers.
 * Comments go; lines stay where they are. Pure text; knows no device.
 */
#ifndef ORO_LUA_GLSL_GLSL_H
#define ORO_LUA_GLSL_GLSL_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

enum {
    ORO_GLSL_BYTES_MAX = 1 << 16,
    ORO_GLSL_BUDGET =
        1 << 24, /* what the loops of one cell may cost: tokens that are carried out, and 300 a turn */
};

/* What can be told of a kernel. */
struct oro_glsl_facts {
    bool loops; /* some take from the budget */
    bool own;   /* it plainly sets no cell but its own */
};

/* Adds the changed text to `out`. `hidden` are names that it may not use (ends with NULL): the buffers'.
 * Fails with ORO_E_KERNEL; `*line` is the line of the text, from 1, that the error is in. */
bool oro_glsl_guard(const char *text, const char *const *hidden, struct oro_text *out,
                    struct oro_glsl_facts *facts, int *line, struct oro_error *err);

/* For documentation: the functions that kernels may call besides their own; NULL after the last. The files
 * that they may include; ends with NULL. */
const char *oro_glsl_function(size_t index);
extern const char *const oro_glsl_includes[];

/* Whether inputs, outputs and buffers of kernels cannot have that name: it is a word of the language, or the
 * engine's. */
bool oro_glsl_is_reserved(const char *name);

/* The line of `object.member`, of a text that was changed as above; 0: it does not occur. */
int oro_glsl_finds_member(const char *text, const char *object, const char *member);

/* Whether `name` occurs as a word outside of comments. */
bool oro_glsl_has_word(const char *text, const char *name);

#endif
