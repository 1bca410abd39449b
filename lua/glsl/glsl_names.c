/* The words of the language: which there are, and which scripts may not use. */
#include <string.h>

#include "lua/glsl/glsl_private.h"

bool oro_glsl_is_one_of(struct oro_glsl_word word, const char *const *list)
{
    for (; *list; list++)
        if (oro_glsl_equals(word, *list))
            return true;
    return false;
}

static bool begins(struct oro_glsl_word word, const char *start)
{
    size_t length = strlen(start);
    return (size_t)word.length >= length && strncmp(word.at, start, length) == 0;
}

/* ---- Types ---- */

bool oro_glsl_is_type(struct oro_glsl_word word)
{
    static const char *const words[] = {
        "void",   "bool",   "int",    "uint",   "float",  "vec2",   "vec3",   "vec4",   "bvec2",  "bvec3",
        "bvec4",  "ivec2",  "ivec3",  "ivec4",  "uvec2",  "uvec3",  "uvec4",  "mat2",   "mat3",   "mat4",
        "mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4", NULL};
    return oro_glsl_is_one_of(word, words);
}

bool oro_glsl_is_statement(struct oro_glsl_word word)
{
    static const char *const words[] = {"if",      "else",  "for",      "while",  "do",      "switch", "case",
                                        "default", "break", "continue", "return", "discard", NULL};
    return oro_glsl_is_one_of(word, words);
}

bool oro_glsl_is_qualifier(struct oro_glsl_word word)
{
    static const char *const words[] = {"const", "in", "out", "inout", "highp", "mediump", "lowp", NULL};
    return oro_glsl_is_one_of(word, words);
}

/* ---- Functions ---- */

static const char *const functions[] = {
    /* Of the language. */
    "radians", "degrees", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
    "acosh", "atanh", "pow", "exp", "log", "exp2", "log2", "sqrt", "inversesqrt", "abs", "sign", "floor",
    "trunc", "round", "roundEven", "ceil", "fract", "mod", "modf", "min", "max", "clamp", "mix", "step",
    "smoothstep", "isnan", "isinf", "floatBitsToInt", "floatBitsToUint", "intBitsToFloat", "uintBitsToFloat",
    "frexp", "ldexp", "packSnorm2x16", "packUnorm2x16", "packSnorm4x8", "packUnorm4x8", "packHalf2x16",
    "unpackSnorm2x16", "unpackUnorm2x16", "unpackSnorm4x8", "unpackUnorm4x8", "unpackHalf2x16", "length",
    "distance", "dot", "cross", "normalize", "faceforward", "reflect", "refract", "matrixCompMult",
    "outerProduct", "transpose", "determinant", "inverse", "lessThan", "lessThanEqual", "greaterThan",
    "greaterThanEqual", "equal", "notEqual", "any", "all", "not", "uaddCarry", "usubBorrow", "umulExtended",
    "imulExtended", "bitfieldExtract", "bitfieldInsert", "bitfieldReverse", "bitCount", "findLSB", "findMSB",
    /* Of the files below. */
    "hash", "hash_unit", "hash_point", "noise_reduce", "noise_fade", "noise_direction",
    "gradient_noise_slope", "gradient_noise", "value_noise", "simplex_corner", "simplex_noise", "worley_cell",
    "worley_noise", "gradient_fbm", "terrain_beyond", "gradient", "catmull_rom", "b_spline", "b_spline_slope",
    "is_number",
    /* Of the engine. */
    "oro_position", "oro_inside", NULL};

bool oro_glsl_is_known(struct oro_glsl_word word)
{
    return oro_glsl_is_one_of(word, functions);
}

bool oro_glsl_known_writes(struct oro_glsl_word word)
{
    static const char *const words[] = {"modf",         "frexp",        "uaddCarry",
                                        "usubBorrow",   "umulExtended", "imulExtended",
                                        "noise_reduce", "worley_cell",  NULL};
    return oro_glsl_is_one_of(word, words);
}

/* Counted as in the functions of scripts. The engine's profile_NAME and gradient_NAME search the points, of
 * which there are at most 32. */
int oro_glsl_known_turns(struct oro_glsl_word word)
{
    if (oro_glsl_equals(word, "worley_noise"))
        return 52;
    if (oro_glsl_equals(word, "gradient_fbm"))
        return 25;
    return !oro_glsl_is_known(word) && (begins(word, "profile_") || begins(word, "gradient_")) ? 33 : 0;
}

const char *oro_glsl_function(size_t index)
{
    return index < sizeof functions / sizeof functions[0] ? functions[index] : NULL;
}

/* These files read rasters only by NAME_at, and their loops are bounded. */
const char *const oro_glsl_includes[] = {"lib/hash.glsl",    "lib/noise.glsl",  "lib/terrain.glsl",
                                         "lib/bicubic.glsl", "lib/number.glsl", NULL};

bool oro_glsl_may_include(struct oro_glsl_word name)
{
    return oro_glsl_is_one_of(name, oro_glsl_includes);
}

/* ---- Words that scripts must not use ---- */

static const struct {
    const char *name;
    bool start; /* it is also forbidden as the start of a longer name */
    const char *advice;
} refused[] = {
    {"main", false, "the engine has it: write void cell(ivec2 p)"},
    {"gl_", true, "names that begin with gl_ are not for scripts: cell(ivec2 p) is told its cell"},
    {"struct", false, "scripts have no structs: use vectors, or several variables"},
    {"buffer", false, "rasters are read by NAME_at(p) and written by set_NAME(p, v)"},
    {"uniform", false, "parameters are the script's inputs: params.NAME"},
    {"layout", false, "rasters are read by NAME_at(p) and written by set_NAME(p, v)"},
    {"shared", false, "cells do not share memory: use a buffer and several passes"},
    {"barrier", false, "cells do not wait for each other: use several passes"},
    {"memoryBarrier", true, "cells do not wait for each other: use several passes"},
    {"groupMemoryBarrier", false, "cells do not wait for each other: use several passes"},
    {"atomic", true, "cells do not write to each other: use several passes"},
    {"coherent", false, NULL},
    {"volatile", false, NULL},
    {"restrict", false, NULL},
    {"readonly", false, NULL},
    {"writeonly", false, NULL},
    {"precision", false, "everything is highp as it is"},
    {"invariant", false, NULL},
    {"precise", false, NULL},
    {"subroutine", false, NULL},
    {"discard", false, "write 'return'"},
    {"goto", false, NULL},
    {"sampler", true, "rasters are read by NAME_at(p)"},
    {"isampler", true, "rasters are read by NAME_at(p)"},
    {"usampler", true, "rasters are read by NAME_at(p)"},
    {"image1D", true, "rasters are read by NAME_at(p)"},
    {"image2D", true, "rasters are read by NAME_at(p)"},
    {"image3D", true, "rasters are read by NAME_at(p)"},
    {"imageCube", true, "rasters are read by NAME_at(p)"},
    {"imageBuffer", false, "rasters are read by NAME_at(p)"},
    {"iimage", true, "rasters are read by NAME_at(p)"},
    {"uimage", true, "rasters are read by NAME_at(p)"},
    {"imageLoad", false, "rasters are read by NAME_at(p)"},
    {"imageStore", false, "rasters are written by set_NAME(p, v)"},
    {"imageSize", false, "grid.size is the rasters' size"},
    {"imageAtomic", true, "cells do not write to each other: use several passes"},
    {"texelFetch", true, "rasters are read by NAME_at(p)"},
    {"textureLod", true, "rasters are read by NAME_at(p)"},
    {"textureSize", false, "grid.size is the rasters' size"},
    {"textureGather", true, "rasters are read by NAME_at(p)"},
    {"textureGrad", true, "rasters are read by NAME_at(p)"},
    {"textureProj", true, "rasters are read by NAME_at(p)"},
    {"textureOffset", false, "rasters are read by NAME_at(p)"},
    {"texture2D", true, "rasters are read by NAME_at(p)"},
};

bool oro_glsl_check_name(struct oro_glsl *g, const struct oro_glsl_token *token)
{
    struct oro_glsl_word word = oro_glsl_word_of(token);
    if (word.length > 128)
        return oro_glsl_refuse(g, token->line, "a name is longer than 128 characters");
    if (begins(word, "oro_") && !oro_glsl_is_known(word))
        return oro_glsl_refuse(
            g, token->line,
            "'%.*s': of the names that begin with oro_, oro_position and oro_inside are for "
            "scripts",
            word.length, word.at);
    for (int i = 0; i + 1 < word.length; i++)
        if (word.at[i] == '_' && word.at[i + 1] == '_')
            return oro_glsl_refuse(g, token->line, "'%.*s': names with two '_' in a row are the compiler's",
                                   word.length, word.at);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i].start ? begins(word, refused[i].name) : oro_glsl_equals(word, refused[i].name))
            return oro_glsl_refuse(g, token->line, "'%.*s' has no place in a kernel%s%s", word.length,
                                   word.at, refused[i].advice ? ": " : "",
                                   refused[i].advice ? refused[i].advice : "");
    return true;
}
