/* Kernels from scripts as text: what passes as it is, what is changed and how, what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/glsl/glsl.h"
#include "tests/support/test.h"

#define CELL(body) "void cell(ivec2 p) { " body " }"
#define F(body) "float f(float x) { " body " return x; }\n"
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const char *const rasters[] = {"terrain", "height", NULL};
static struct oro_glsl_facts facts; /* of the last that passed */

/* The text is guarded to `expected`; NULL: stays as it is. */
static void check_guarded(const char *text, const char *expected)
{
    struct oro_text out = {0};
    struct oro_error err = {0};
    int line = -1;
    if (!oro_glsl_guard(text, rasters, &out, &facts, &line, &err))
        fail_msg("refused in line %d: %s\n%s", line, err.text, text);
    assert_string_equal(out.data, expected ? expected : text);
    oro_text_free(&out);
}

static void check_refused(const char *text, int at, const char *part)
{
    struct oro_text out = {0};
    struct oro_error err = {0};
    int line = -1;
    if (oro_glsl_guard(text, rasters, &out, &facts, &line, &err))
        fail_msg("passed:\n%s\n->\n%s", text, out.data);
    assert_int_equal(err.code, ORO_E_KERNEL);
    assert_null(strchr(err.text, '\n'));
    if (!strstr(err.text, part) || line != at)
        fail_msg("expected line %d '%s', not line %d '%s', of\n%.300s", at, part, line, err.text, text);
    assert_null(out.data);
}

/* ---- What stays ---- */

TEST(plain_kernels_stay)
{
    static const char *const texts[] = {
        CELL("set_height(p, terrain_at(p));"),
        "#include \"lib/terrain.glsl\"\n" CELL("set_field(p, degrees(atan(length(gradient(p)))));"),
        "#include \"lib/hash.glsl\"\n#include \"lib/noise.glsl\"\n" CELL(
            "set_field(p, gradient_noise(oro_position(p), params.seed));"),
        "const float SCALE = 2.0;\nfloat f(float x);\n" CELL(
            "float v = f(SCALE);") "\nfloat f(float x) { return x; }",
        "#define SOFT 0.5\n#define LOW (1.0 - params.x)\n" CELL("float v = SOFT * LOW;"),
        CELL("if (p.x > 3) return; else if (p.y > 2) { return; } else set_height(p, 1.0);"),
        CELL("switch (params.method) { case METHOD_A: set_height(p, 1.0); break; default: break; }"),
        "#if HAS_MASK\nfloat m(ivec2 p) { return mask_at(p); }\n#else\nfloat m(ivec2 p) { return 1.0; "
        "}\n#endif\n" CELL("set_height(p, m(p));"),
        CELL("\n#ifdef X\n float a = 1.0;\n#elif defined(Y) && HAS_Z > 0\n float a = 2.0;\n#endif\n"),
        CELL("float a[3]; a[0] = 1.0; a[2] = 0x10 > 3 ? .5 : 1e-3; vec3 v; v[1] = v.x; mat3 m; m[0][2] = "
             "1.0f;"),
        CELL("float height = height_at(p); height += params.terrain;"),
        "float f(float w[3], inout float v[3]) { v[0] = w[1]; return w[2] + float(w.length()); }\n" CELL(
            "float w[3], v[3]; float x = f(w, v);"),
        "float f(float w) { return w == 1.0 ? w : 2.0; }\n" CELL("float w[3]; w[0] = f(1.0);"),
        CELL(
            "const float w[3] = float[3](1.0, -2.0, 1.0); const float u[] = float[](1.0, 2.0); w[1] + u[0];"),
        "float f(vec2 a) { return a.x; }\nfloat f(ivec2 a, int b) { return f(vec2(a)); }\n" CELL("f(p, 1);"),
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        check_guarded(texts[i], NULL);
}

TEST(comments_go)
{
    check_guarded("// one \\\n/* two\n three */ void cell(ivec2 p)\r\n{ /* \xc3\xa4 */ }// end",
                  " \n \n void cell(ivec2 p)\n{   } ");
    check_guarded("/* for (;;) [ ## */" CELL("") "//*/", " " CELL("") " ");
}

/* ---- Loops ---- */

TEST(counted_loops_stay)
{
    static const char *const loops[] = {
        "for (int i = 0; i < 8; i++) x += float(i);",
        "for (int i = -2; i <= 2; ++i) { for (int j = -2; j <= 2; j++) x += f2(i, j); }",
        "for (int i = 64; i > 0; i--) { if (x > 1.0) break; else continue; }",
        "for (int i = 64; i >= 1; --i) x += a2.i;",
        "for (int i = 0; i < 100; i += 2) x += 1.0;",
        "for (int i = 10; i > -10; i -= 3) x += (float(i));",
        "for (int i = 0; i < N; i++) x += w[3];",
        "for (int i = 0; i < M; i++) x += min(x, float((i)));",
        "for (int i = 0; i < 8; i++) { x += own(i); if (x == float(i)) return float(i); }",
        "for (int i = 0; i < 8; i++) { int k = i; k++; k = i + 1; bool b = i == 3; }",
    };
    for (size_t i = 0; i < COUNT(loops); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "#define N 4\nconst int M = 9;\nfloat own(int k) { return float(k); }\nfloat w[4];\n" F("%s")
                     CELL(""),
                 loops[i]);
        check_guarded(text, NULL);
    }
}

/* They look like counted loops, and do not end, or not so soon. */
TEST(other_loops_take_from_the_budget)
{
    static const char *const loops[] = {
        "for (int i = 0; i < 65; i++) x += 1.0;",
        "for (int i = 0; i < params.n; i++) x += 1.0;",
        "for (int i = 0; i < 8; i += 0) x += 1.0;",
        "for (int i = 0; i < 8; i--) x += 1.0;",
        "for (int i = 0; i != 8; i++) x += 1.0;",
        "for (int i = 0; i < 8; i++) i--;",
        "for (int i = 0; i < 8; i++) i = 0;",
        "for (int i = 0; i < 8; i++) i -= 1;",
        "for (int i = 0; i < 8; i++) i <<= 1;",
        "for (int i = 0; i < 8; i++) { (i) = 0; }",
        "for (int i = 0; i < 8; i++) { ((i))--; }",
        "for (int i = 0; i < 8; i++) --(i);",
        "for (int i = 0; i < 8; i++) { if (x > 1.0) --i; }",
        "for (int i = 0; i < 8; i++) changes(i);",
        "for (int i = 0; i < 8; i++) changes((i));",
        "for (int i = 0; i < 8; i++) x += sin(changes(((i))));",
        "for (int i = 0; i < 8; i++) changes2(x, i);",
        "for (int i = 0; i < 8; i++) later(i);",
        "for (int i = 0; i < 8; i++) frexp(x, i);",
        "for (int i = 0; i < 8; i++) { int i = 3; i--; }",
        "for (int i = 0; i < 8; i++) for (i = 0; i < 2; i++) x += 1.0;",
        "for (int i = 0; i < 8; i++) return float(i--);",
        "for (int i = 0, j = 0; i < 8; i++) x += 1.0;",
        "for (float i = 0.0; i < 8.0; i++) x += 1.0;",
        "for (uint i = 0u; i < 8u; i--) x += 1.0;",
        "int i = 0; for (; i < 8;) x += 1.0;",
        "for (int i = 0; i < 8, true; i++) x += 1.0;",
        "for (int i = 2147483640; i <= 2147483647; i++) x += 1.0;",
        "for (int i = 0; i < K; i++) x += 1.0;",
        "for (int i = 0; i < SHADOWED; i++) x += 1.0;",
        "for (int i = 0; i < AGAIN; i++) x += 1.0;",
        "for (int i = 0; i < DROPPED; i++) x += 1.0;",
        "for (int i = 0; i < MAYBE; i++) x += 1.0;",
        "for (int i = 0; i < MUCH; i++) x += 1.0;",
        "for (int used = 0; used < 8; used++) x += 1.0;",
    };
    for (size_t i = 0; i < COUNT(loops); i++) {
        char text[1024];
        struct oro_text out = {0};
        struct oro_error err = {0};
        int line;
        snprintf(
            text, sizeof text,
            "#define AGAIN 4\n#define DROPPED 4\n#undef DROPPED\n#define USES (used)\n#define MUCH 65\n"
            "#undef AGAIN\n#define AGAIN 1000000\n#if X\n#define MAYBE 4\n#endif\n"
            "const int SHADOWED = 4;\nvoid later(out int k);\n"
            "int changes(inout int k) { return k--; }\nvoid changes2(float x, out int k) { k = 0; }\n"
            "void shadows(int SHADOWED, int K) { }\n" F("%s") "void later(out int k) { k = 0; }\n" CELL(""),
            loops[i]);
        if (!oro_glsl_guard(text, rasters, &out, &facts, &line, &err))
            fail_msg("refused: %s\n%s", err.text, loops[i]);
        if (!strstr(out.data, "oro_step("))
            fail_msg("left alone: %s", loops[i]);
        oro_text_free(&out);
    }
}

TEST(loops_are_rewritten)
{
    check_guarded(CELL("for (;;) p;"), CELL("for (;oro_step(1, 1);) p;"));
    check_guarded(CELL("while (true) ;"), CELL("while (oro_step(1, 1) && (true)) ;"));
    check_guarded(CELL("while (a, b) { x++; }"), CELL("while (oro_step(1, 1) && (a, b)) { x++; }"));
    check_guarded(CELL("\ndo { } while (a || b); x;"),
                  CELL("\ndo { } while (oro_step(1, 2) && (a || b)); x;"));
    check_guarded(CELL("do x++; while\n(c);"), CELL("do x++; while\n(oro_step(1, 1) && (c));"));
    check_guarded(
        CELL("\n\nfor (int i = 0; i < n || b; i++)\n{ for (;;) { } }"),
        CELL("\n\nfor (int i = 0;oro_step(3, 3) && ( i < n || b); i++)\n{ for (;oro_step(1, 4);) { } }"));
}

/* A turn costs what the counted loops in it take, also in functions. */
TEST(turns_are_paid_for)
{
    check_guarded(CELL("while (b) for (int i = 0; i < 10; i++) a;"),
                  CELL("while (oro_step(12, 1) && (b)) for (int i = 0; i < 10; i++) a;"));
    check_guarded("void f() { for (int i = 0; i < 10; i++) a; }\n" CELL("while (b) { f(); f(); }"),
                  "void f() { for (int i = 0; i < 10; i++) a; }\n" CELL(
                      "while (oro_step(23, 2) && (b)) { f(); f(); }"));
    check_guarded(CELL("while (gradient_fbm(x, 9, 1u) > profile_a(x)) ;"),
                  CELL("while (oro_step(59, 1) && (gradient_fbm(x, 9, 1u) > profile_a(x))) ;"));
    /* 64 * 64 turns are left, and not 64 * 64 * 3. */
    check_guarded(CELL("for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a;"), NULL);
    check_guarded(
        CELL("for (int k = 0; k < 3; k++) for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a;"),
        CELL("for (int k = 0;oro_step(4226, 1) && ( k < 3); k++) for (int i = 0; i < 64; i++) for (int j = "
             "0; j < 64; j++) a;"));
}

/* ---- Brackets ---- */

TEST(indices_are_held)
{
    check_guarded(
        CELL("float a[4]; a[i] = a[i + 1];"),
        CELL("float a[4]; a[oro_within(int(i), a.length())] = a[oro_within(int(i + 1), a.length())];"));
}

TEST(nested_indices_are_held)
{
    check_guarded(
        "const int N = 3;\nint b[N];\n" CELL("float a[4], c[2]; a[b[i]]++; c[-1];"),
        "const int N = 3;\nint b[N];\n" CELL(
            "float a[4], c[2]; a[oro_within(int(b[oro_within(int(i), b.length())]), a.length())]++; "
            "c[oro_within(int(-1), c.length())];"));
    check_guarded("float f(float w[4], int k) { return w[k]; }\n" CELL(""),
                  "float f(float w[4], int k) { return w[oro_within(int(k), w.length())]; }\n" CELL(""));
}

/* ---- What is refused ---- */

static const struct {
    const char *text;
    int line;
    const char *part;
} attacks[] = {
    /* Names of the engine and of the language. */
    {CELL("oro_budget = 1;"), 1, "begin with oro_"},
    {CELL("oro_new_height[0] = 1.0;"), 1, "begin with oro_"},
    {"bool oro_step(int a, int b) { return true; }\n" CELL(""), 1, "begin with oro_"},
    {"#define oro_step\n" CELL(""), 1, "begin with oro_"},
    {"#define X oro_budget\n" CELL(""), 1, "begin with oro_"},
    {CELL("ivec2 q = ivec2(gl_GlobalInvocationID.xy);"), 1, "gl_"},
    {"void main() { }\n" CELL(""), 1, "the engine has it"},
    {CELL("float a__b;"), 1, "two '_'"},
    {CELL("terrain[3];"), 1, "read a cell of it as terrain_at(p)"},
    {CELL("\nfloat x = height;"), 2, "'height' is a raster"},
    {"struct s { int a; };\n" CELL(""), 1, "no structs"},
    {"layout(std430, binding = 0) buffer b { float c[]; };\n" CELL(""), 1, "'layout'"},
    {"buffer b { float c[]; };\n" CELL(""), 1, "'buffer'"},
    {"uniform float u;\n" CELL(""), 1, "params.NAME"},
    {"shared float s[4];\n" CELL(""), 1, "do not share"},
    {CELL("barrier();"), 1, "several passes"},
    {CELL("memoryBarrierBuffer();"), 1, "several passes"},
    {CELL("groupMemoryBarrier();"), 1, "several passes"},
    {CELL("atomicAdd(x, 1);"), 1, "several passes"},
    {"precision lowp float;\n" CELL(""), 1, "highp"},
    {"highp sampler2D s;\n" CELL(""), 1, "NAME_at"},
    {CELL("imageStore(a, p, b);"), 1, "set_NAME"},
    {CELL("discard;"), 1, "write 'return'"},
    {"in vec4 colour;\n" CELL(""), 1, "is expected, not 'in'"},
    /* What is no cell. */
    {"void f() { }", 1, "there is no 'void cell(ivec2 p)'"},
    {"void cell(vec2 p) { }", 1, "there is no 'void cell(ivec2 p)'"},
    {"void cell(ivec2 p);", 1, "there is no 'void cell(ivec2 p)'"},
    {"", 1, "there is no 'void cell(ivec2 p)'"},
    /* Macros. */
    {"#define F(x) x\n" CELL(""), 1, "no parameters"},
    {"#define A B\n#define B A\n" CELL(""), 1, "cannot use another"},
    {"#define LOOP while (true)\n" CELL("LOOP;"), 1, "'while' has no place"},
    {"#define OPEN {\n" CELL(""), 1, "'{' has no place"},
    {"#define HALF (1.0\n" CELL(""), 1, "closes the parentheses"},
    {"#define HALF 1.0)\n" CELL(""), 1, "')' has no place"},
    {"#define AT [i]\n" CELL(""), 1, "'[' has no place"},
    {"#define SEMI ;\n" CELL(""), 1, "';' has no place"},
    {"#define DOWN i--\n" CELL(""), 1, "'--' has no place"},
    {"#define SET i = 0\n" CELL(""), 1, "'=' has no place"},
    {"#define MORE 1, 2\n" CELL(""), 1, "',' has no place"},
    {"#define PLUS 1 +\n" CELL(""), 1, "'+' has no place"},
    {"#define while if\n" CELL(""), 1, "a word of the language"},
    {"#define int float\n" CELL(""), 1, "a word of the language"},
    {"#define clamp max\n" CELL(""), 1, "is a function"},
    {"#define length 3\n" CELL(""), 1, "is a function"},
    {"#define cell other\n" CELL(""), 1, "is a function"},
    {"#define g h\nvoid g() { }\n" CELL(""), 1, "is a function"},
    {"#define terrain height\n" CELL(""), 1, "is a raster"},
    {"#define n 4\n" CELL("int n = 3;"), 1, "is a variable"},
    {"#define CALL f(1.0)\n" F("") CELL(""), 1, "make it a function"},
    {"#define TYPE float\n" CELL("TYPE x;"), 1, "'float' has no place"},
    {"#define NAME f\n" F("") CELL("NAME(1.0);"), 3, "stands for a value"},
    {"#define ARGS (1.0)\n" F("") CELL("f ARGS;"), 3, "stands for a value"},
    {"#define A a\n" CELL("float a[3]; A[i];"), 2, "stands for a value"},
    {"#define A i\n" CELL("for (int i = 0; i < 8; i++) A--;"), 2, "stands for a value"},
    {"#define A i\n" CELL("--A;"), 2, "stands for a value"},
    {"#define X x\n" CELL("vec2 v; v.X;"), 2, "stands for a value"},
    {"#define A 1 \\\n + while (true)\n" CELL(""), 1, "backslash"},
    {"#define A 1 ## 2\n" CELL(""), 1, "'#' has no place"},
    /* Other directives. */
    {"#version 310 es\n" CELL(""), 1, "#version"},
    {"#extension all : enable\n" CELL(""), 1, "#extension"},
    {"#line 4\n" CELL(""), 1, "#line"},
    {"#pragma optimize(off)\n" CELL(""), 1, "#pragma"},
    {"#\n" CELL(""), 1, "has no place"},
    {"\n#undef HAS_MASK\n" CELL(""), 2, "own macros"},
    {"#if (-9223372036854775807 - 1) / -1\n#endif\n" CELL(""), 1, "'/' has no place"},
    {"#if X % 0\n#endif\n" CELL(""), 1, "'%' has no place"},
    {"#define NOISE worley_noise(x, 1.0, 1u)\n" CELL(""), 1, "make it a function"},
    {CELL("f(\n#if X\n1\n#endif\n);"), 2, "within '('"},
    {CELL("x =\n#if X\n1;\n#else\n2;\n#endif\n"), 2, "between statements"},
    {CELL("for (;;)\n#if X\n;\n#endif\nx++;"), 2, "between statements"},
    {CELL("\n#if X\n{\n#else\n{\n#endif\n}"), 4, "not closed"},
    {CELL("{\n#if X\n}\n#endif\n"), 3, "before #if"},
    {CELL("") "\n#if X\n", 3, "#endif is missing"},
    {CELL("") "\n#endif\n", 2, "without #if"},
    {CELL("if (a) ;\n#if X\nelse ;\n#endif\n"), 3, "not before 'else'"},
    {CELL("do { }\n#if X\nwhile (a);\n#endif\nwhile (b);"), 3, "not before 'while'"},
    {CELL("do { }\n#if X\nwhile (a);\n#else\nwhile (b);\n#endif\n"), 3, "not before 'while'"},
    /* Files. */
    {"#include \"lib/flow.glsl\"\n" CELL(""), 1, "is not for scripts"},
    {"#include \"../../etc/passwd\"\n" CELL(""), 1, "is not for scripts"},
    {"#include <lib/hash.glsl>\n" CELL(""), 1, "expected #include"},
    {"#include \"lib/hash.glsl\" x\n" CELL(""), 1, "expected #include"},
    {"#define octaves 9\n#include \"lib/noise.glsl\"\n" CELL(""), 2, "at the top"},
    {CELL("") "\n#include \"lib/noise.glsl\"\n", 2, "at the top"},
    {"#if X\n#include \"lib/noise.glsl\"\n#endif\n" CELL(""), 2, "at the top"},
    /* Loops. */
    {CELL("while (bool b = true) ;"), 1, "declares no variable"},
    {CELL("for (; bool b = true;) ;"), 1, "declares no variable"},
    {CELL("for (;) ;"), 1, "two ';'"},
    {CELL("for (;;;) ;"), 1, "two ';'"},
    {CELL("while () ;"), 1, "no condition"},
    {CELL("do ; x;"), 1, "'while' is missing"},
    {CELL("do ; while (a) x;"), 1, "is expected after 'do'"},
    {CELL("x = while (true) ;"), 1, "'while' has no place"},
    {CELL("else for (;;) ;"), 1, "'else' has no place"},
    {CELL("int while = 3;"), 1, "a name is expected"},
    /* Functions. */
    {F("f(x);") CELL(""), 1, "calls itself"},
    {"void a() { b(); }\nvoid b() { a(); }\n" CELL(""), 2, "calls itself"},
    {"void a();\nvoid b() { a(); }\nvoid a() { b(); }\n" CELL("a();"), 3, "calls itself"},
    {"int f(int a) { return f(1.0); }\nint f(float a) { return f(1); }\n" CELL(""), 1, "calls itself"},
    {CELL("void f() { }"), 1, "outside of others"},
    /* Brackets. */
    {CELL("float a[n];"), 1, "an array's size is a whole number"},
    {CELL("float a[2 * 3];"), 1, "an array's size is a whole number"},
    {CELL("float a[0x7fffffff];"), 1, "more than 1024 elements"},
    {"float a[600];\nfloat b[600];\n" CELL(""), 2, "more than 1024 elements"},
    {CELL("float a[2][2];"), 1, "no arrays of arrays"},
    {CELL("float[2] a[2];"), 1, "behind its name"},
    {CELL("vec3 v; v[i] = 1.0;"), 1, "take v.x, v.y"},
    {CELL("f(x)[i];"), 1, "stands a whole number"},
    {CELL("float a[2]; (a)[i];"), 1, "stands a whole number"},
    {CELL("mat3 m; m[0][i];"), 1, "stands a whole number"},
    {CELL("params.curve[i];"), 1, "stands a whole number"},
    {CELL("unknown[i];"), 1, "is no array"},
    {CELL("f(a;"), 1, "'}' closes nothing"},
    {CELL("") "}", 1, "'}' closes nothing"},
    {CELL("f({ a; });"), 1, "'{' has no place within '('"},
    {"void cell(ivec2 p) {\n\n", 1, "'{' is not closed"},
    /* Arrays as a whole. */
    {CELL("float a[512], b[512];\nb = a; b[p.y] += 1.0; a = b;"), 2, "'b' is copied or compared as a whole"},
    {CELL("float a[9], b[9];\nif (a == b) return;"), 2, "'a' is copied"},
    {CELL("float a[9], b[9];\nif (x || b != a) return;"), 2, "'b' is copied"},
    {CELL("float a[9], b[9];\nfloat c[9] = x ? a : b;"), 2, "'a' is copied"},
    {CELL("float a[9];\nfloat c[9] = a;"), 2, "'a' is copied"},
    {CELL("float a[9];\nf((a));"), 2, "'a' is copied"},
    /* Characters. */
    {"\n" CELL("x \\ y;"), 2, "backslash"},
    {"\n" CELL("float \xc3\xa4;"), 2, "ASCII"},
    {"\n" CELL("\x01"), 2, "code 1"},
    {"// a\r b\n" CELL("\r"), 2, "code 13"},
    {CELL("x @ y;"), 1, "'@' has no place"},
    {CELL("\"x\";"), 1, "'\"' has no place"},
    {CELL("int a = 010;"), 1, "malformed number"},
    {CELL("float a = 1.x;"), 1, "malformed number"},
    {CELL("float a = 3a;"), 1, "malformed number"},
    {"/* x\n" CELL(""), 1, "does not end"},
    {"/*/" CELL(""), 1, "does not end"},
    {CELL("x # define A;"), 1, "'#' has no place"},
    {"int a = 3\n" CELL(""), 1, "';' is missing"},
    {"a = 3;\n" CELL(""), 1, "is expected, not 'a'"},
};

TEST(attacks_are_refused)
{
    for (size_t i = 0; i < COUNT(attacks); i++)
        check_refused(attacks[i].text, attacks[i].line, attacks[i].part);
}

/* ---- Texts that are too much ---- */

static char *repeated(const char *start, const char *part, int times, const char *end)
{
    struct oro_text text = {0};
    oro_text_add(&text, start);
    for (int i = 0; i < times; i++)
        oro_text_add(&text, part);
    oro_text_add(&text, end);
    assert_false(text.failed);
    return text.data;
}

TEST(bombs_are_refused)
{
    static const struct {
        const char *start, *part;
        int times;
        const char *end, *message;
    } bombs[] = {
        {"void cell(ivec2 p) { float x = ", "(", 3000, "1", "deeper"},
        {"void cell(ivec2 p) ", "{", 3000, "", "deeper"},
        {"void cell(ivec2 p) { ", "if (a) ", 3000, "; }", "deeper"},
        {"void cell(ivec2 p) { ", "for (;;) ", 3000, "; }", "deeper"},
        {"void cell(ivec2 p) { ", "for (int i = 0; i < 64; i++) b; ", 200, "}", "turns in one cell"},
        {"void cell(ivec2 p) { ", "a;", 9000, "}", "words and signs"},
        {"void cell(ivec2 p) { ", "          ", 7000, "}", "65536 bytes"},
        {"", "#if X\n", 100, "", "deeper"},
        {"#define A ", "1 + ", 3000, "1\n", "words and signs"},
        {"", "void f();\n", 3000, "", "functions"},
        {"float a float a float a float a ", ", b", 3000, "; void cell(ivec2 p) {}", "without ';'"},
    };
    for (size_t i = 0; i < COUNT(bombs); i++) {
        char *text = repeated(bombs[i].start, bombs[i].part, bombs[i].times, bombs[i].end);
        check_refused(text,
                      strstr(text, "#if X")       ? 17
                      : strstr(text, "void f();") ? 257
                                                  : 1,
                      bombs[i].message);
        free(text);
    }
}

/* f0 has a loop, and each of the following functions calls the one before. */
static char *chain(int calls)
{
    struct oro_text text = {0};
    oro_text_add(&text, "void f0() { for (int i = 0; i < 9; i++) a; }\n");
    for (int i = 1; i < 200; i++) {
        oro_text_addf(&text, "void f%d() {", i);
        for (int k = 0; k < calls; k++)
            oro_text_addf(&text, " f%d();", i - 1);
        oro_text_add(&text, " }\n");
    }
    oro_text_add(&text, CELL("f199();"));
    return text.data;
}

TEST(turns_in_functions_are_bounded)
{
    char *deep = chain(1), *doubling = chain(2);
    check_guarded(deep, NULL); /* each was measured before the next called it */
    check_refused(doubling, 11, "take more than 9000 turns");
    free(deep);
    free(doubling);
}

/* Declared first and defined in the order of calls, so that the first to be measured goes all the way down.
 */
TEST(deep_calls_are_refused)
{
    struct oro_text text = {0};
    for (int i = 0; i < 100; i++)
        oro_text_addf(&text, "void f%d();\n", i);
    for (int i = 0; i < 99; i++)
        oro_text_addf(&text, "void f%d() { f%d(); }\n", i, i + 1);
    oro_text_add(&text, "void f99() { }\n" CELL("f0();"));
    check_refused(text.data, 149, "deeper");
    oro_text_free(&text);
}

/* ---- Any text at all ---- */

/* Parts of kernels in any order: whatever comes is refused or guarded, and lines stay where they are. */
TEST(any_text_is_survived)
{
    static const char *const parts[] = {"void cell(ivec2 p) {",
                                        "}",
                                        "{",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        ";",
                                        ",",
                                        "int i",
                                        "float a[4]",
                                        "a[i]",
                                        "for (",
                                        "for (int i = 0; i < 4; i++)",
                                        "while (",
                                        "do ",
                                        "if (x) ",
                                        "else ",
                                        "switch (i) {",
                                        "case 1:",
                                        "\n#if X\n",
                                        "\n#else\n",
                                        "\n#endif\n",
                                        "\n#define A 1\n",
                                        "\n#undef A\n",
                                        "A",
                                        "i",
                                        "= 3",
                                        "++",
                                        ".x",
                                        "return",
                                        "f(",
                                        "void f(inout int i) {",
                                        "1.5",
                                        "/*",
                                        "*/",
                                        "//",
                                        "\n",
                                        "const int N = 4;",
                                        "N",
                                        "oro_",
                                        "?",
                                        ":",
                                        "<"};
    unsigned random = 7;
    int passed = 0;
    for (int turn = 0; turn < 30000; turn++) {
        struct oro_text text = {0}, out = {0};
        struct oro_error err = {0};
        int line, length = 1 + turn % 40, before = 0, after = 0;
        for (int i = 0; i < length; i++) {
            random = random * 1103515245U + 12345U;
            oro_text_addf(&text, " %s ", parts[(random >> 16) % COUNT(parts)]);
        }
        oro_text_add(&text, turn & 1 ? "" : "\n" CELL(""));
        if (oro_glsl_guard(text.data, rasters, &out, &facts, &line, &err)) {
            for (const char *c = text.data; *c; c++)
                before += *c == '\n';
            for (const char *c = out.data; *c; c++)
                after += *c == '\n';
            assert_int_equal(before, after);
            passed++;
        } else {
            assert_true(line >= 1 && err.code == ORO_E_KERNEL);
        }
        oro_text_free(&text);
        oro_text_free(&out);
    }
    assert_true(passed > 10);
}

TEST(words_are_found)
{
    assert_true(oro_glsl_has_word("a b_at(p)", "b_at"));
    assert_true(oro_glsl_has_word("b", "b"));
    assert_false(oro_glsl_has_word("ab b_at2 2b", "b"));
    assert_false(oro_glsl_has_word("/* b */ // b\n a", "b"));
    assert_true(oro_glsl_has_word("// b\nb", "b"));
    assert_false(oro_glsl_has_word("", "b"));
}

/* ---- What is told ---- */

TEST(plain_setters_need_no_watch)
{
    static const struct {
        const char *text;
        bool own;
    } kernels[] = {
        {CELL("set_a(p, 1.0);"), true},
        {CELL("if (p.x > 3) { set_a(p, x_at(p + ivec2(1, 0))); return; } set_b(p, vec2(p));"), true},
        {"#define STRENGTH 2.0\n" CELL("set_a(p, STRENGTH);"), true},
        {F("x += 1.0;") CELL("ivec2 q = p; q.x++; set_a(p, f(x_at(q)));"), true},
        {CELL("for (int i = 0; i < 4; i++) { float s = float(i + p.x); set_a(p, s); }"), true},
        {"void cell(ivec2 place) { set_a(place, 1.0); }", true},
        {CELL("set_a(p + ivec2(1, 0), 1.0);"), false},
        {CELL("ivec2 q = p; set_a(q, 1.0);"), false},
        {CELL("p = ivec2(0); set_a(p, 1.0);"), false},
        {CELL("p.x = 0; set_a(p, 1.0);"), false},
        {CELL("p.x++; set_a(p, 1.0);"), false},
        {CELL("++p; set_a(p, 1.0);"), false},
        {CELL("p += 1; set_a(p, 1.0);"), false},
        {CELL("p[0] = 0; set_a(p, 1.0);"), false},
        {CELL("(p) = ivec2(0); set_a(p, 1.0);"), false},
        {CELL("if (x) ; else ((p)) = ivec2(0); set_a(p, 1.0);"), false},
        {CELL("(p).x = 0; set_a(p, 1.0);"), false},
        {CELL("((p.x))++; set_a(p, 1.0);"), false},
        {CELL("--(p); set_a(p, 1.0);"), false},
        {CELL("p.yx.x = 0; set_a(p, 1.0);"), false},
        {CELL("set_a(p, f((p.x) * 2) + (p).y);"), true},
        {CELL("{ ivec2 p = ivec2(0); set_a(p, 1.0); }"), false},
        {"void f(ivec2 p) { set_a(p, 1.0); }\n" CELL("f(ivec2(0));"), false},
        {"void f(inout ivec2 q) { q.x = 0; }\n" CELL("f(p); set_a(p, 1.0);"), false},
        {"#define p q\n" CELL("ivec2 q = ivec2(0); set_a(p, 1.0);"), false},
        {"#define WHERE p\n" CELL("set_a(WHERE, 1.0);"), false},
        {"#define put set_a\n" CELL("put(ivec2(0), 1.0);"), false},
        {"void cell(const ivec2 p) { set_a(p, 1.0); }", false},
    };
    for (size_t i = 0; i < COUNT(kernels); i++) {
        struct oro_text out = {0};
        struct oro_error err = {0};
        int line;
        facts.own = !kernels[i].own;
        bool ok = oro_glsl_guard(kernels[i].text, rasters, &out, &facts, &line, &err);
        if (ok ? facts.own != kernels[i].own : kernels[i].own)
            fail_msg("%s: %s", kernels[i].text, ok ? "own" : err.text);
        oro_text_free(&out);
    }
}
