/* Kernels over which a driver crashes, or which it does not finish compiling: errors with their place, as
 * they are tried in a guest. Within the program, each of them would end it, or keep it for minutes. Where a
 * driver takes one of them, that is fine, too. */
#include "base/clock.h"
#include "base/memory.h"
#include "tests/lua/scene.h"

/* Generous: the limit is 2 seconds of processor time. */
static const double soon = 30;

#define KERNEL(body) "kernel = [[\nvoid cell(ivec2 p) {\n" body "\n}\n]]"
#define TWICE(text) text text
#define MANY(text) TWICE(TWICE(TWICE(TWICE(text))))

static void does_no_harm(const char *kernel)
{
    struct harness_raster raster = {0};
    double start = oro_now();
    scene_size(64, 64);
    bool ok = scene_try(kernel, PROBE(""), "field", &raster);
    oro_free(raster.data);
    if (!ok && scene.h.err.code != ORO_E_EVALUATE && scene.h.err.code != ORO_E_KERNEL &&
        scene.h.err.code != ORO_E_DOCUMENT)
        fail_msg("%s", scene.h.err.text);
    if (!ok && (!strstr(scene.h.err.text, ".lua:") && !strstr(scene.h.err.text, "crashed")))
        fail_msg("no place: %s", scene.h.err.text);
    assert_true(oro_now() - start < soon);
}

#define LEAST "int a = -2147483647 - 1;\n"

TEST(divisions_of_the_least_number)
{
    static const char *const bodies[] = {
        SCRIPT("", OUT_FIELD, KERNEL(LEAST "int c = a / -1; set_field(p, float(c));")),
        SCRIPT("", OUT_FIELD, KERNEL(LEAST "int c = a % -1; set_field(p, float(c));")),
        SCRIPT("", OUT_FIELD,
               KERNEL("ivec2 a = ivec2(-2147483647 - 1) / ivec2(-1); set_field(p, float(a.x));")),
        SCRIPT("", OUT_FIELD, KERNEL("#if (-9223372036854775807 - 1) / -1\n#endif\nset_field(p, 1.0);")),
        SCRIPT("", OUT_FIELD, KERNEL("const int a = (-2147483647 - 1) / -1;\nset_field(p, float(a));")),
        /* Not before it runs, and in one cell alone. */
        SCRIPT("", OUT_FIELD,
               KERNEL("int a = p.x == 40 ? -2147483647 - 1 : 7, b = p.x == 40 ? -1 : 2;\n"
                      "set_field(p, float(a / b));")),
        SCRIPT("", OUT_FIELD,
               KERNEL("int a = p.x == 40 ? -2147483647 - 1 : 7, b = p.x == 40 ? -1 : 2;\n"
                      "set_field(p, float(a % b));")),
        SCRIPT("", OUT_FIELD, KERNEL("int b = p.x == 40 ? 0 : 2; set_field(p, float(7 / b + 7 % b));")),
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
        does_no_harm(bodies[i]);
}

/* Numbers at their ends, indices from nowhere, loops without an end. */
TEST(odd_kernels)
{
    static const char *const bodies[] = {
        SCRIPT(
            "", OUT_FIELD,
            KERNEL("int a = 1 << 32, b = 1 << -1; uint c = 1u >> 33; set_field(p, float(a + b + int(c)));")),
        SCRIPT("", OUT_FIELD, KERNEL("int a = 1 << p.x; a = a << 40; a = a >> -1; set_field(p, float(a));")),
        SCRIPT("", OUT_FIELD,
               KERNEL("int a = int(1e30); uint b = uint(-1.0); int c = int(0.0 / 0.0); set_field(p, float(a) "
                      "+ float(b) + float(c));")),
        SCRIPT("", OUT_FIELD,
               KERNEL("float x = terrain_at(p) * 1e30; int a = int(x); uint b = uint(x); set_field(p, "
                      "float(a) + float(b));")),
        SCRIPT("", OUT_FIELD, KERNEL("int z = p.x - p.x; set_field(p, float(5 % z) + float(5 / z));")),
        SCRIPT("", OUT_FIELD, KERNEL("int c = 5 % 0, d = 5 / 0; set_field(p, float(c + d));")),
        SCRIPT("", OUT_FIELD, KERNEL("uint c = 5u % 0u, d = 5u / 0u; set_field(p, float(c + d));")),
        SCRIPT("", OUT_FIELD,
               KERNEL("ivec4 a = ivec4(-2147483647 - 1) / ivec4(p.x - 40, p.x - 41, -1, 1); set_field(p, "
                      "float(a.x));")),
        SCRIPT("", OUT_FIELD, KERNEL("int a = -2147483647 - 1; a /= -1; a %= -1; set_field(p, float(a));")),
        SCRIPT("", OUT_FIELD, KERNEL("int a = 2147483647; a++; a *= a; set_field(p, float(a));")),
        SCRIPT("", OUT_FIELD, KERNEL("set_field(p, ldexp(1.0, 2147483647) + ldexp(1.0, -2147483647 - 1));")),
        SCRIPT("", OUT_FIELD,
               KERNEL("set_field(p, float(bitfieldExtract(p.x, 31, 40) + bitfieldInsert(1, 2, -1, 64) + "
                      "findMSB(0)));")),
        SCRIPT("", OUT_FIELD, KERNEL("set_field(p, unpackHalf2x16(packHalf2x16(vec2(0.0 / 0.0, 1e30))).x);")),
        SCRIPT("", OUT_FIELD, KERNEL("int e; float m = frexp(0.0 / 0.0, e); set_field(p, m + float(e));")),
        SCRIPT("", OUT_FIELD, KERNEL("float a[4]; set_field(p, a[2147483647] + a[-2147483647 - 1]);")),
        SCRIPT("", OUT_FIELD, KERNEL("float a[4]; set_field(p, a[int(0.0 / 0.0)]);")),
        SCRIPT("", OUT_FIELD, KERNEL("float a[4]; set_field(p, a[int(terrain_at(p) * 1e30)]);")),
        SCRIPT("", OUT_FIELD,
               KERNEL("float x = 1e38 * 1e38 - 1e38 * 1e38; for (int i = 0; i < 8; i++) x = x * x; "
                      "set_field(p, sqrt(-1.0) + log(-1.0) + x);")),
        SCRIPT("", OUT_FIELD,
               KERNEL("set_field(p, terrain_at(p + 2147483647) + terrain_at(ivec2(-2147483647 - 1)));")),
        SCRIPT("", OUT_FIELD, KERNEL("(p) = ivec2(0); set_field(p, 1.0);")),
        SCRIPT("", OUT_FIELD, KERNEL("((p)) += 1; set_field(p, 1.0);")),
        SCRIPT("", OUT_FIELD, KERNEL("set_field(p + ivec2(1, 0), 1.0);")),
        SCRIPT("", OUT_FIELD,
               KERNEL("int i = 0; while (true) { i++; if (i < 0) break; } set_field(p, float(i));")),
        SCRIPT("", OUT_FIELD,
               KERNEL("float s = 0.0; for (;;) { s += 1.0; if (s < 0.0) return; } set_field(p, s);")),
        SCRIPT("", OUT_FIELD, KERNEL("float s = 0.0; do { s += 1.0; } while (s > 0.0); set_field(p, s);")),
        SCRIPT(
            "", OUT_FIELD,
            KERNEL(
                "float s = 0.0; for (float f = 0.0; !(f > 1.0); f += 0.0 / 0.0) s += f; set_field(p, s);")),
        SCRIPT("", OUT_FIELD,
               KERNEL("float a[256]; for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) a[(i * j) & "
                      "255] += float(i ^ j); set_field(p, a[p.x & 255]);")),
        SCRIPT("", OUT_FIELD, KERNEL("float a[32], b[32]; if (a == b) set_field(p, 1.0);")),
        SCRIPT("", OUT_FIELD, KERNEL("float a[32], b[32]; a = p.x > 3 ? a : b; set_field(p, a[p.y]);")),
        SCRIPT("", OUT_FIELD, KERNEL("const int n = -2147483647 - 1; float a[n / -1]; set_field(p, a[0]);")),
        SCRIPT("", OUT_FIELD, KERNEL("switch (p.x) { case (-2147483647 - 1) / -1: set_field(p, 1.0); }")),
        SCRIPT("", OUT_FIELD, KERNEL("const float a = float((-2147483647 - 1) % -1); set_field(p, a);")),
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
        does_no_harm(bodies[i]);
}

TEST(what_takes_compilers_long)
{
    does_no_harm(SCRIPT(
        "", OUT_FIELD,
        KERNEL("float a[500], b[500];\nfor (int i = 0; i < 64; i++) { a[i] = 1.0; b[i] = 2.0; }\n" MANY(
            "b = a; b[p.y] += 1.0; a = b;\n") "set_field(p, a[p.x]);")));
    does_no_harm(SCRIPT("", OUT_FIELD,
                        KERNEL("float f = 1.0, b[32];\nf = f + 0.0 / 0.0; b[int(f)] += 1.0;\n"
                               "set_field(p, b[p.x] + f);")));
}

TEST(the_next_kernel_works)
{
    scene_size(16, 16);
    does_no_harm(SCRIPT("", OUT_FIELD, KERNEL(LEAST "int c = a / -1; set_field(p, float(c));")));
    struct harness_raster raster =
        scene_run(SCRIPT("", OUT_FIELD, KERNEL("set_field(p, terrain_at(p) + 1.0);")), PROBE(""), "field");
    assert_true(raster.data[0] == scene.ground[0] + 1);
    oro_free(raster.data);
}

TEST_GROUP(scene_open, scene_close);
