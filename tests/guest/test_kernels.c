/* Kernels over which a driver crashes, or which it does not finish compiling: errors with their place, as
 * they are tried in a guest. Within the program, each of them would end it, or keep it for minutes. Where a
 * driver takes one of them, that is fine, too. */
#include "base/clock.h"
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
}

TEST_GROUP(scene_open, scene_close);
