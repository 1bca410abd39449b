/* Words that compilers do not accept as names. */
#include <stdlib.h>
#include <string.h>

#include "lua/glsl/glsl.h"

/* The words of GLSL ES 3.1, those that it reserves, and those of the engine; sorted. */
static const char *const reserved[] = {
    "active",    "asm",      "atomic_uint", "attribute", "bool",    "break",      "buffer",   "bvec2",
    "bvec3",     "bvec4",    "case",        "cast",      "cell",    "centroid",   "class",    "coherent",
    "common",    "const",    "continue",    "default",   "discard", "dmat2",      "dmat3",    "dmat4",
    "do",        "double",   "dvec2",       "dvec3",     "dvec4",   "else",       "enum",     "extern",
    "external",  "false",    "filter",      "fixed",     "flat",    "float",      "for",      "fvec2",
    "fvec3",     "fvec4",    "goto",        "grid",      "half",    "highp",      "hvec2",    "hvec3",
    "hvec4",     "if",       "in",          "inline",    "inout",   "input",      "int",      "interface",
    "invariant", "ivec2",    "ivec3",       "ivec4",     "layout",  "long",       "lowp",     "main",
    "mat2",      "mat2x2",   "mat2x3",      "mat2x4",    "mat3",    "mat3x2",     "mat3x3",   "mat3x4",
    "mat4",      "mat4x2",   "mat4x3",      "mat4x4",    "mediump", "namespace",  "noinline", "noperspective",
    "out",       "output",   "params",      "partition", "pass",    "patch",      "precise",  "precision",
    "public",    "readonly", "resource",    "restrict",  "return",  "sample",     "shared",   "short",
    "sizeof",    "smooth",   "source",      "static",    "struct",  "subroutine", "superp",   "switch",
    "template",  "this",     "true",        "typedef",   "uint",    "uniform",    "union",    "unsigned",
    "using",     "uvec2",    "uvec3",       "uvec4",     "varying", "vec2",       "vec3",     "vec4",
    "void",      "volatile", "while",       "writeonly",
};

static int compare(const void *name, const void *word)
{
    return strcmp(name, *(const char *const *)word);
}

bool oro_glsl_is_reserved(const char *name)
{
    return bsearch(name, reserved, sizeof reserved / sizeof reserved[0], sizeof reserved[0], compare);
}
