/* Kernels by a grammar: the bytes choose functions, declarations, statements and expressions of GLSL, most of
 * which the guard lets through. */
#include "tests/fuzz/grammar.h"
#include "tests/fuzz/kernel_guarded.h"

#ifndef FUZZ_START
#define FUZZ_START "$kernel"
#endif

static const struct fuzz_rule rules[] = {
    FUZZ_RULE("kernel", "$cell", "$tops$cell", "$includes$tops$cell", "$tops$cell$tops"),
    /* With all names that are used, so that most of them compile. */
    FUZZ_RULE("complete",
              "#include \"lib/noise.glsl\"\nconst int N = 3;\nconst int X = 4;\nconst float C = 0.5;\n"
              "const float T[3] = float[3](1.0, 2.0, 3.0);\nfloat g(float q) { return q * C; }\n"
              "vec2 g2(vec2 q, int n) { return q * float(n); }\nint gi(int n) { return n + N; }\n"
              "void gv(inout float q, out float r) { r = q; q += 1.0; }\n"
              "void cell(ivec2 p)\n{\n  float a = terrain_at(p), b[4], big[512];\n  int i = p.x, n = p.y;\n"
              "  vec2 v = vec2(p);\n  ivec2 k = p;\n  {\n$statements  }\n  set_terrain(p, $f);\n}\n"),
    FUZZ_RULE("includes", "", "#include \"lib/hash.glsl\"\n$includes",
              "#include \"lib/noise.glsl\"\n$includes", "#include \"lib/terrain.glsl\"\n$includes",
              "#include \"lib/bicubic.glsl\"\n", "#include \"lib/number.glsl\"\n", "#include \"x\"\n"),
    FUZZ_RULE("tops", "", "$top\n$tops"),
    FUZZ_RULE("top", "const int N = $int;", "const float C = $f;",
              "float g($parameters)\n{\n$statements return $f;\n}",
              "vec2 g2($parameters) { $statements return $v; }", "int gi(int n) { $statements return $i; }",
              "void gv(inout $type q, out float r) { r = $f; $statements }", "#define X $int",
              "#define Y ($f)", "#if $constant\n$tops#else\n$tops#endif", "#ifdef X\n$tops#endif",
              "$type global = $f;", "const $type T[3] = $type[3]($f, $f, $f);", "precision highp float;",
              "/* $int */", "// $int"),
    FUZZ_RULE("parameters", "", "float q", "vec2 q, int n", "inout float q", "const in ivec2 q",
              "float q[4]"),
    FUZZ_RULE("constant", "1", "X > 2", "defined(X) && N", "(-9223372036854775807 - 1) / -1", "1 / 0", "0",
              "X % 0", "1 << 70"),
    FUZZ_RULE("cell", "void cell(ivec2 p)\n{\n$statements set_terrain(p, $f);\n}\n",
              "void cell(ivec2 p) { $statements }\n"),
    FUZZ_RULE("statements", "", "$statement\n$statements"),
    FUZZ_RULE("statement", "float a = $f;", "int i = $i;", "vec2 v = $v;", "float b[4];", "float big[512];",
              "ivec2 k = $k;", "a $assign $f;", "i $assign $i;", "v $assign $v;", "v.$component $assign $f;",
              "b[$i] $assign $f;", "big[$i] $assign $f;", "b = float[4]($f, $f, $f, $f);",
              "if ($c) { $statements } else { $statements }", "if ($c) $statement",
              "for (int n = 0; n < $int; n++) { $statements }",
              "for (int n = $int; n >= $i; n -= 2) $statement", "while ($c) { $statements }",
              "do { $statements } while ($c);",
              "switch ($i) { case 1: $statements break; default: $statements }", "break;", "continue;",
              "return;", "set_terrain(p, $f);", "set_terrain($k, $f);", "{ $statements }", "i++;", "--i;",
              "gv(a, b[0]);", "#if $constant\n$statements#endif\n", "const int M = $int;", "(p) = $k;",
              "p.x = $i;", "b = b;", "big = big;", ";"),
    FUZZ_RULE("assign", "=", "+=", "-=", "*=", "/="),
    FUZZ_RULE("component", "x", "y", "xy", "yx", "z", "r", "length()"),
    FUZZ_RULE("int", "4", "0", "1", "8", "64", "65", "512", "2147483647", "0x7fffffff", "-1", "4u", "4096"),
    FUZZ_RULE("i", "1", "$int", "i", "p.x", "N", "X", "int($f)", "$i $iop $i", "-2147483647 - 1", "gi($i)",
              "abs($i)", "min($i, $i)", "b.length()", "n", "(i = $i)", "$c ? $i : $i", "int(hash(p, 7u))",
              "i++", "bitCount($i)", "findMSB($i)"),
    FUZZ_RULE("iop", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"),
    FUZZ_RULE("f", "1.0", "0.5", "1e38", "0.0", "terrain_at(p)", "terrain_at($k)", "params.amount", "a",
              "b[$i]", "b[0]", "big[$i]", "C", "float($i)", "$f $fop $f", "-$f", "($f)", "$function($f)",
              "$function($f, $f)", "mix($f, $f, $f)", "v.x", "v.y", "g($f)", "length($v)", "dot($v, $v)",
              "$c ? $f : $f", "T[$i]", "0.0 / 0.0", "oro_position(p).x", "grid.cell",
              "uintBitsToFloat(uint($i))", "(a = $f)", "noise_perlin($v)"),
    FUZZ_RULE("fop", "+", "-", "*", "/"),
    FUZZ_RULE("function", "sin", "abs", "sqrt", "exp", "pow", "floor", "min", "max", "mod", "step", "atan",
              "fract", "inversesqrt", "log", "isnan", "clamp", "set_terrain"),
    FUZZ_RULE("v", "vec2(0.0)", "v", "vec2($f, $f)", "oro_position(p)", "$v $fop $v", "vec2(p)",
              "normalize($v)", "vec4($f).xy", "mat2($f) * $v", "g2($v, $i)"),
    FUZZ_RULE("k", "p", "p + ivec2(1, 0)", "ivec2($i, $i)", "k", "p / $i", "ivec2($v)"),
    FUZZ_RULE("c", "true", "$i < $i", "$f > $f", "oro_inside($k)", "!$c", "$c && $c", "$c || $c", "b == b",
              "isnan($f)", "any(lessThan($v, $v))", "i == $i", "bool($i)"),
    FUZZ_RULE("type", "float", "int", "vec2", "uint", "mat2", "bool", "vec4"),
    {0},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct oro_text text = {0};
    fuzz_expand(&bytes, rules, FUZZ_START, &text);
    fuzz_kernel(text.data ? text.data : "");
    oro_text_free(&text);
    return 0;
}
