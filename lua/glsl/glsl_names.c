/* The words of the language: which there are, which scripts may not use, and what functions cost. */
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

static const struct {
    const char *name;
    int components;
} types[] = {
    {"void", 0},   {"bool", 1},    {"int", 1},    {"uint", 1},    {"float", 1},   {"vec2", 2},
    {"vec3", 3},   {"vec4", 4},    {"bvec2", 2},  {"bvec3", 3},   {"bvec4", 4},   {"ivec2", 2},
    {"ivec3", 3},  {"ivec4", 4},   {"uvec2", 2},  {"uvec3", 3},   {"uvec4", 4},   {"mat2", 4},
    {"mat3", 9},   {"mat4", 16},   {"mat2x2", 4}, {"mat2x3", 6},  {"mat2x4", 8},  {"mat3x2", 6},
    {"mat3x3", 9}, {"mat3x4", 12}, {"mat4x2", 8}, {"mat4x3", 12}, {"mat4x4", 16},
};

int oro_glsl_components(struct oro_glsl_word type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (oro_glsl_equals(type, types[i].name))
            return types[i].components;
    return -1;
}

bool oro_glsl_is_type(struct oro_glsl_word word)
{
    return oro_glsl_components(word) >= 0;
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

/* The sizes are relative to a sum, by the code that compilers make: 30000 of anything take some seconds to
 * compile. */
static const struct oro_glsl_known functions[] = {
    {"radians", 1, 1, false, 0},
    {"degrees", 1, 1, false, 0},
    {"sin", 8, 90, false, 0},
    {"cos", 8, 90, false, 0},
    {"tan", 16, 180, false, 0},
    {"asin", 16, 24, false, 0},
    {"acos", 16, 24, false, 0},
    {"atan", 24, 250, false, 0},
    {"sinh", 16, 90, false, 0},
    {"cosh", 16, 90, false, 0},
    {"tanh", 16, 90, false, 0},
    {"asinh", 16, 90, false, 0},
    {"acosh", 16, 90, false, 0},
    {"atanh", 16, 90, false, 0},
    {"pow", 16, 100, false, 0},
    {"exp", 8, 16, false, 0},
    {"log", 8, 80, false, 0},
    {"exp2", 8, 16, false, 0},
    {"log2", 8, 80, false, 0},
    {"sqrt", 4, 1, false, 0},
    {"inversesqrt", 4, 1, false, 0},
    {"abs", 1, 1, false, 0},
    {"sign", 1, 1, false, 0},
    {"floor", 1, 1, false, 0},
    {"trunc", 1, 1, false, 0},
    {"round", 1, 1, false, 0},
    {"roundEven", 1, 1, false, 0},
    {"ceil", 1, 1, false, 0},
    {"fract", 1, 1, false, 0},
    {"mod", 4, 4, false, 0},
    {"modf", 2, 2, true, 0},
    {"min", 1, 1, false, 0},
    {"max", 1, 1, false, 0},
    {"clamp", 2, 2, false, 0},
    {"mix", 2, 2, false, 0},
    {"step", 1, 1, false, 0},
    {"smoothstep", 8, 8, false, 0},
    {"isnan", 1, 1, false, 0},
    {"isinf", 1, 1, false, 0},
    {"floatBitsToInt", 1, 1, false, 0},
    {"floatBitsToUint", 1, 1, false, 0},
    {"intBitsToFloat", 1, 1, false, 0},
    {"uintBitsToFloat", 1, 1, false, 0},
    {"frexp", 8, 8, true, 0},
    {"ldexp", 8, 8, false, 0},
    {"packSnorm2x16", 8, 8, false, 0},
    {"packUnorm2x16", 8, 8, false, 0},
    {"packSnorm4x8", 8, 8, false, 0},
    {"packUnorm4x8", 8, 8, false, 0},
    {"packHalf2x16", 32, 120, false, 0},
    {"unpackSnorm2x16", 8, 8, false, 0},
    {"unpackUnorm2x16", 8, 8, false, 0},
    {"unpackSnorm4x8", 8, 8, false, 0},
    {"unpackUnorm4x8", 8, 8, false, 0},
    {"unpackHalf2x16", 32, 120, false, 0},
    {"length", 8, 4, false, 0},
    {"distance", 8, 4, false, 0},
    {"dot", 4, 4, false, 0},
    {"cross", 8, 8, false, 0},
    {"normalize", 12, 8, false, 0},
    {"faceforward", 8, 8, false, 0},
    {"reflect", 8, 8, false, 0},
    {"refract", 16, 16, false, 0},
    {"matrixCompMult", 16, 16, false, 0},
    {"outerProduct", 16, 16, false, 0},
    {"transpose", 16, 16, false, 0},
    {"determinant", 64, 200, false, 0},
    {"inverse", 256, 1000, false, 0},
    {"lessThan", 2, 2, false, 0},
    {"lessThanEqual", 2, 2, false, 0},
    {"greaterThan", 2, 2, false, 0},
    {"greaterThanEqual", 2, 2, false, 0},
    {"equal", 2, 2, false, 0},
    {"notEqual", 2, 2, false, 0},
    {"any", 2, 2, false, 0},
    {"all", 2, 2, false, 0},
    {"not", 2, 2, false, 0},
    {"uaddCarry", 4, 4, true, 0},
    {"usubBorrow", 4, 4, true, 0},
    {"umulExtended", 8, 8, true, 0},
    {"imulExtended", 8, 8, true, 0},
    {"bitfieldExtract", 4, 4, false, 0},
    {"bitfieldInsert", 4, 4, false, 0},
    {"bitfieldReverse", 4, 4, false, 0},
    {"bitCount", 4, 4, false, 0},
    {"findLSB", 4, 4, false, 0},
    {"findMSB", 4, 4, false, 0},
    /* gles_shaders/lib/: hash, noise (at most 24 octaves), terrain, bicubic, number. */
    {"hash", 30, 30, false, 0},
    {"hash_unit", 4, 4, false, 0},
    {"hash_point", 8, 8, false, 0},
    {"noise_reduce", 10, 10, true, 0},
    {"noise_fade", 12, 12, false, 0},
    {"noise_direction", 24, 16, false, 0},
    {"gradient_noise_slope", 300, 300, false, 0},
    {"gradient_noise", 300, 300, false, 0},
    {"value_noise", 200, 200, false, 0},
    {"simplex_corner", 40, 40, false, 0},
    {"simplex_noise", 250, 250, false, 0},
    {"worley_cell", 60, 60, true, 0},
    {"worley_noise", 2200, 200, false, 48},
    {"gradient_fbm", 7500, 350, false, 25},
    {"terrain_beyond", 60, 60, false, 0},
    {"gradient", 600, 600, false, 0},
    {"catmull_rom", 30, 30, false, 0},
    {"b_spline", 30, 30, false, 0},
    {"b_spline_slope", 20, 20, false, 0},
    {"is_number", 4, 4, false, 0},
    /* Functions that the engine puts in front of kernels. */
    {"oro_position", 8, 8, false, 0},
    {"oro_inside", 6, 6, false, 0},
};

const struct oro_glsl_known *oro_glsl_known(struct oro_glsl_word word)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (oro_glsl_equals(word, functions[i].name))
            return &functions[i];
    return NULL;
}

const char *oro_glsl_function(size_t index)
{
    return index < sizeof functions / sizeof functions[0] ? functions[index].name : NULL;
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
    if (begins(word, "oro_") && !oro_glsl_known(word))
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
