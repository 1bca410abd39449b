/* The function `field` of scripts. */
#include <stdlib.h>

#include "lua/field/field.h"
#include "tests/lua/scene.h"

static const char *const no_nodes = PROBE("");
#define SIMPLE(body) SCRIPT("", OUT_FIELD, FIELD(body))

static struct harness_raster run(const char *script, const char *nodes)
{
    need_device();
    return scene_run(script, nodes, "field");
}

static float ground(int x, int y)
{
    x = x < 0 ? 0 : x >= scene.width ? scene.width - 1 : x;
    y = y < 0 ? 0 : y >= scene.height ? scene.height - 1 : y;
    return scene.ground[y * scene.width + x];
}

/* Expects of this body what `wanted` gives at each cell. */
static void expect(const char *body, float (*wanted)(int x, int y), double tolerance)
{
    char script[4096];
    snprintf(script, sizeof script, SIMPLE("%s"), body);
    struct harness_raster raster = run(script, no_nodes);
    for (int y = 0; y < scene.height; y++)
        for (int x = 0; x < scene.width; x++) {
            float got = raster.data[y * scene.width + x], right = wanted(x, y);
            if (!(fabs((double)got - (double)right) <= tolerance * (1 + fabs((double)right))))
                fail_msg("%s: %g and not %g at cell (%d, %d)", body, (double)got, (double)right, x, y);
        }
    harness_free(&raster);
}

static double number;
static float the_number(int x, int y)
{
    (void)x;
    (void)y;
    return (float)number;
}

static void expect_number(const char *body, double wanted)
{
    number = wanted;
    expect(body, the_number, 1e-6);
}

/* ---- Cell by cell ---- */

#define CASE(name, expression)                                                                               \
    static float name(float a, float b)                                                                      \
    {                                                                                                        \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        return expression;                                                                                   \
    }
CASE(is_sum, a + b)
CASE(is_less, a - 2)
CASE(is_from, 2 - a)
CASE(is_product, a *b * 3)
CASE(is_quotient, a / b)
CASE(is_inverse, 1 / b)
CASE(is_modulo, a - b * floorf(a / b))
CASE(is_power, powf(b, a))
CASE(is_square, a *a)
CASE(is_negative, -a)
CASE(is_abs, fabsf(a))
CASE(is_sign, a > 0 ? 1.0f : a < 0 ? -1.0f : 0.0f)
CASE(is_floor, floorf(a))
CASE(is_ceil, ceilf(a))
CASE(is_round, floorf(a + 0.5f))
CASE(is_fract, a - floorf(a))
CASE(is_sqrt, sqrtf(b))
CASE(is_exp, expf(a))
CASE(is_log, logf(b))
CASE(is_sin, sinf(a))
CASE(is_cos, cosf(a))
CASE(is_tan, tanf(b))
CASE(is_atan, atanf(a))
CASE(is_atan2, atan2f(a, b))
CASE(is_min, fminf(fminf(a, b), 0.5f))
CASE(is_max, fmaxf(fmaxf(a, b), 0.5f))
CASE(is_clamp, fminf(fmaxf(a, -1), b))
CASE(is_mix, a * 0.75f + b * 0.25f)
CASE(is_mixed, 2 * (1 - b) + a * b)
CASE(is_step, a < b ? 0.0f : 1.0f)
CASE(is_lt, (float)(a < 1))
CASE(is_le, (float)(a <= b))
CASE(is_low, (float)(floorf(a) <= 1))
CASE(is_high, (float)(floorf(a) >= 1))
CASE(is_gt, (float)(1 > a))
CASE(is_ge, (float)(a >= b))
CASE(is_eq, (float)(floorf(a) == 1))
CASE(is_chosen, a > b ? a : 7)
CASE(is_smooth, (a <= -1 ? 0 : a >= 2 ? 1 : (a + 1) / 3 * (a + 1) / 3 * (3 - 2 * (a + 1) / 3)))

/* a is from about -4 to 4, b from 0.5 to 2.5. */
static float (*case_of)(float a, float b);
static float wanted_case(int x, int y)
{
    return case_of((ground(x, y) - 60) / 10, ground(x - 1, y) / 40);
}

TEST(cell_by_cell)
{
    static const struct {
        const char *text;
        float (*function)(float a, float b);
    } cases[] = {
        {"a + b", is_sum},
        {"a - 2", is_less},
        {"2 - a", is_from},
        {"3 * a * b", is_product},
        {"a / b", is_quotient},
        {"1 / b", is_inverse},
        {"a % b", is_modulo},
        {"b ^ a", is_power},
        {"a ^ 2", is_square},
        {"b:pow(a)", is_power},
        {"-a", is_negative},
        {"a:abs()", is_abs},
        {"field.abs(a)", is_abs},
        {"a:sign()", is_sign},
        {"a:floor()", is_floor},
        {"a:ceil()", is_ceil},
        {"a:round()", is_round},
        {"a:fract()", is_fract},
        {"b:sqrt()", is_sqrt},
        {"a:exp()", is_exp},
        {"b:log()", is_log},
        {"a:sin()", is_sin},
        {"a:cos()", is_cos},
        {"b:tan()", is_tan},
        {"a:atan()", is_atan},
        {"a:atan(b)", is_atan2},
        {"a:min(b, 0.5)", is_min},
        {"field.max(0.5, b, a)", is_max},
        {"a:clamp(-1, b)", is_clamp},
        {"a:mix(b, 0.25)", is_mix},
        {"field.mix(2, a, b)", is_mixed},
        {"a:step(b)", is_step},
        {"a:lt(1)", is_lt},
        {"a:le(b)", is_le},
        {"a:floor():le(1)", is_low},
        {"a:floor():ge(1)", is_high},
        {"field.gt(1, a)", is_gt},
        {"a:ge(b)", is_ge},
        {"a:floor():eq(1)", is_eq},
        {"a:gt(b):select(a, 7)", is_chosen},
        {"a:smoothstep(-1, 2)", is_smooth},
    };
    scene_size(301, 7);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[256];
        snprintf(body, sizeof body,
                 "local a, b = (f.terrain - 60) / 10, f.terrain:shift(1, 0) / 40\nreturn %s", cases[i].text);
        case_of = cases[i].function;
        expect(body, wanted_case, 2e-5);
    }
}

TEST(constants_stay_constants)
{
    scene_size(5, 3);
    expect_number("return 3", 3);
    expect_number("return field.new(2) * 3 + 1", 7);
    expect_number("return field.min(4, 2)", 2);
    expect_number("return field.new(2):blur(100):shift(1, 2):map(function(v) return v + 1 end)", 3);
    expect_number("local c = field.new(2) return c:sum() + c:mean() + c:minimum() + c:quantile(0.3)", 36);
    expect_number("local c = field.new(2) return c:slope() + c:laplacian() + c:gradient()", 0);
    expect_number("return field.new(2):normalize(5, 9)", 5);
    expect_number("return (field.new(2):get(1, 1) + field.new(2)(0, 0)) / f.terrain * f.terrain", 4);
}

TEST(all_functions_are_described)
{
    for (const struct oro_field_function *one = oro_field_functions; one->name; one++) {
        assert_true(one->arguments && one->doc && strlen(one->doc) > 2);
        assert_true(!one->call == !!one->each && one->least <= one->most);
        assert_true(!one->each || (one->most <= ORO_FIELD_OPERANDS_MAX && one->cost > 0));
        for (const struct oro_field_function *other = oro_field_functions; other != one; other++)
            assert_string_not_equal(one->name, other->name);
    }
}

/* ---- Places ---- */

static float shifted(int x, int y)
{
    return ground(x - 3, y + 2);
}

static float between(int x, int y)
{
    return 0.5f * ground(x + 1, y) + 0.5f * ground(x + 2, y);
}

static float east_and_south(int x, int y)
{
    return (float)(10 * (x + 0.5) + 1000 * 10 * (y + 0.5));
}

static float numbered(int x, int y)
{
    return (float)(x + 100 * y);
}

static float mapped(int x, int y)
{
    return 2 * ground(x, y) + (float)(x - y);
}

static float here(int x, int y)
{
    return ground(x, y);
}

TEST(places)
{
    static const int sizes[][2] = {{1, 1}, {1, 8}, {9, 1}, {20, 13}};
    number = 0;
    for (int i = 0; i < 4; i++) {
        scene_size(sizes[i][0], sizes[i][1]);
        expect("return f.terrain:shift(3, -2)", shifted, 0);
        expect("return f.terrain:sample(field.column() + 1.5, field.row())", between, 1e-5);
        expect("return f.terrain:sample(field.column(), field.row())", here, 0);
        expect("return field.x() + 1000 * field.y()", east_and_south, 0);
        expect("return field.column() + 100 * field.row()", numbered, 0);
        expect("return field.build(function(x, y) return x + 100 * y end)", numbered, 0);
        expect("return f.terrain:map(function(v, x, y) return 2 * v + x - y end)", mapped, 0);
        expect("local t = f.terrain return field.build(function(x, y) return t:get(x, y) end)", here, 0);
        expect("local t = f.terrain return field.build(function(x, y) return t(x + 3 - 6, y + 2) end)",
               shifted, 0);
        expect("return f.terrain:shift(1e9, -1e9) - f.terrain:get(-9, 1e9)", the_number, 0);
    }
}

/* The fields of a paraboloid. */
static float bowl(int x, int y)
{
    return (float)(0.01 * (x - 7) * (x - 7) + 0.02 * (y - 5) * (y - 5));
}
static float bowl_east(int x, int y)
{
    (void)y;
    return (float)(x == 0 ? -0.013 : x == 19 ? 0.023 : 0.002 * (x - 7));
}
static float bowl_laplacian(int x, int y)
{
    return (float)((x == 0 || x == 19 ? 0 : 0.0002) + (y == 0 || y == 12 ? 0 : 0.0004));
}

TEST(derivatives)
{
    number = 0;
#define BOWL "local b = field.build(function(x, y) return 0.01 * (x - 7) ^ 2 + 0.02 * (y - 5) ^ 2 end) "
    scene_size(20, 13);
    expect(BOWL "return b", bowl, 1e-6);
    expect(BOWL "return b:laplacian()", bowl_laplacian, 1e-7);
    expect(BOWL "local east, south = b:gradient() return east", bowl_east, 1e-6);
    expect("local e, s = (3 * field.x() - field.y()):gradient() return e + 10 * s + 7", the_number, 1e-5);
}

/* Expects of this body what a node of the document gives. */
static void expect_node(const char *body, const char *node, double tolerance)
{
    char script[512];
    need_device();
    snprintf(script, sizeof script, SIMPLE("return %s"), body);
    struct harness_raster right = scene_run(script, node, "field");
    struct harness_raster got = scene_run(script, no_nodes, "field");
    for (size_t i = 0; i < oro_grid_cells(&right.grid); i++)
        assert_near(got.data[i], right.data[i], tolerance);
    harness_free(&right);
    harness_free(&got);
}

TEST(as_nodes_do)
{
    static const int sizes[][2] = {{1, 1}, {1, 40}, {33, 1}, {130, 61}};
    for (int i = 0; i < 4; i++) {
        scene_size(sizes[i][0], sizes[i][1]);
        expect_node("f.terrain:slope()", NODE("s", "slope", LINK("terrain", "t.terrain")), 1e-3);
#define BLUR(radius)                                                                                         \
    expect_node("f.terrain:blur(" radius ")",                                                                \
                NODE("s", "blur", LINK("field", "t.terrain") IN("radius", radius)), 1e-4)
        BLUR("0");
        BLUR("13");
        BLUR("200");
        BLUR("4000");
    }
    struct harness_raster blurred = run(SIMPLE("return f.terrain:blur(200)"), no_nodes);
    assert_true(fabs((double)blurred.data[2000] - (double)scene.ground[2000]) > 1e-2);
    harness_free(&blurred);
}

/* ---- Numbers of all cells ---- */

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

TEST(numbers_of_all_cells)
{
    static float sorted[101 * 97];
    double sum = 0;
    scene_size(101, 97);
    const size_t cells = 101 * 97;
    for (size_t i = 0; i < cells; i++) {
        scene.ground[i] -= 60; /* below and above 0 */
        sum += (double)scene.ground[i];
    }
    memcpy(sorted, scene.ground, sizeof sorted);
    qsort(sorted, cells, sizeof *sorted, compare);
    expect_number("return f.terrain:minimum()", (double)sorted[0]);
    expect_number("return f.terrain:maximum()", (double)sorted[cells - 1]);
    expect_number("return f.terrain:sum()", sum);
    expect_number("return f.terrain:mean() * 1000", sum / (double)cells * 1000);
    expect_number("return f.terrain:quantile(0)", (double)sorted[0]);
    expect_number("return f.terrain:quantile(1)", (double)sorted[cells - 1]);
    expect_number("return f.terrain:quantile(0.5)", (double)sorted[cells / 2]);
    double place = 0.123 * (double)(cells - 1), part = place - floor(place);
    const float *at = sorted + (size_t)place;
    expect_number("return f.terrain:quantile(0.123)", (1 - part) * (double)at[0] + part * (double)at[1]);
    expect_number("local n = f.terrain:normalize() return n:minimum() + 10 * n:maximum()", 10);
    expect_number("local n = f.terrain:normalize(-2, 3) return n:minimum() + 10 * n:maximum()", 28);
}

TEST(noise_is_noise)
{
    scene_size(128, 96);
    expect_number("local n = field.noise{ feature = 100 }\n"
                  "assert(n:minimum() > -1 and n:maximum() < 1 and n:maximum() - n:minimum() > 0.5)\n"
                  "assert(math.abs(n:mean()) < 0.15)\n"
                  "assert((n - n:shift(1, 0)):abs():maximum() < 0.4)\n"
                  "local m = field.noise{ feature = 100, seed = 1 }\n"
                  "assert((n - m):abs():maximum() > 0.3)\n"
                  "assert((n - field.noise{ feature = 100 }):abs():maximum() == 0)\n"
                  "local smooth = field.noise{ feature = 300, octaves = 1 }\n"
                  "assert(smooth:laplacian():abs():maximum() < 3e-4)\n"
                  "return 1",
                  1);
    struct harness_raster one = run(
        SCRIPT("{ name = \"seed\", type = \"seed\" },", OUT_FIELD, FIELD("return field.noise()")), no_nodes);
    struct harness_raster two =
        run(SCRIPT("{ name = \"seed\", type = \"seed\" },", OUT_FIELD, FIELD("return field.noise()")),
            PROBE(IN("seed", "9")));
    assert_memory_not_equal(one.data, two.data, one.bytes);
    harness_free(&one);
    harness_free(&two);
}

/* ---- Inputs and outputs ---- */

/* 0.4 to 2 */
#define HUNDREDTHS NODE("m", "combine", LINK("a", "t.terrain") IN("b", "0.02") IN("method", "multiply"))

TEST(maps_are_fields_where_linked)
{
    scene_size(9, 5);
    const char *script = SCRIPT("{ name = \"amount\", type = \"float\", min = 0.5, max = 1.25, default = 1,\n"
                                "map = true },",
                                OUT_FIELD,
                                FIELD("assert(type(p.amount) == type(f.amount) or p.amount == 1)\n"
                                      "return f.terrain + p.amount + 10 * f.amount:max(0)"));
    struct harness_raster plain = run(script, no_nodes);
    struct harness_raster linked = run(script, HUNDREDTHS PROBE(LINK("amount", "m.field")));
    for (int i = 0; i < 45; i++) {
        double amount = fmin(fmax(0.02 * (double)scene.ground[i], 0.5), 1.25);
        assert_near(plain.data[i], (double)scene.ground[i] + 11, 1e-4);
        assert_near(linked.data[i], (double)scene.ground[i] + 11 * amount, 1e-4);
    }
    harness_free(&plain);
    harness_free(&linked);
}

TEST(grids_are_known)
{
    scene_size(7, 5);
    expect_number("assert(f.x == 0 and f.y == 0 and f.terrain.cell == f.cell)\n"
                  "return f.width + 100 * f.height + 1e4 * f.terrain.width + f.cell / 100",
                  70507.1);
}

TEST(images_and_vectors_are_tables)
{
    need_device();
    scene_size(8, 8);
    static const char script[] =
        SCRIPT("{ name = \"image\", type = \"image\" }, { name = \"flow\", type = \"vector\" },\n"
               "{ name = \"extra\", type = \"field\", optional = true },",
               "{ name = \"flow\", type = \"vector\" }, { name = \"image\", type = \"image\" }," OUT_FIELD,
               FIELD("local i, v = f.image, f.flow\nassert(f.extra == nil)\n"
                     "return { x = v.y, y = -v.x }, { r = i.g, g = i.r, b = 0.5, a = i.a }, i.b"));
    static const char nodes[] = NODE("i", "hillshade", LINK("terrain", "t.terrain"))
        NODE("v", "tensor_field", "") PROBE(LINK("image", "i.image") LINK("flow", "v.direction"));
    struct harness_raster image =
        scene_run(script, NODE("s", "hillshade", LINK("terrain", "t.terrain")), "image");
    struct harness_raster flow = scene_run(script, NODE("s", "tensor_field", ""), "direction");
    struct harness_raster image_out = scene_run(script, nodes, "image");
    struct harness_raster flow_out = scene_run(script, nodes, "flow");
    struct harness_raster field = scene_run(script, nodes, "field");
    for (int i = 0; i < 64; i++) {
        const float right[] = {image.data[4 * i + 1], image.data[4 * i], 0.5f, image.data[4 * i + 3]};
        assert_memory_equal(image_out.data + 4 * i, right, sizeof right);
        assert_true(flow_out.data[2 * i] == flow.data[2 * i + 1]);
        assert_true(flow_out.data[2 * i + 1] == -flow.data[2 * i]);
        assert_true(field.data[i] == image.data[4 * i + 2]);
    }
    harness_free(&image);
    harness_free(&flow);
    harness_free(&image_out);
    harness_free(&flow_out);
    harness_free(&field);
}

TEST(the_mask_blends)
{
    need_device();
    scene_size(21, 13);
    struct harness_raster raster =
        scene_run(SCRIPT("{ name = \"mask\", type = \"mask\" },", "{ name = \"terrain\", type = \"field\" }",
                         FIELD("return f.terrain + 50")),
                  HUNDREDTHS PROBE(LINK("mask", "m.field")), "terrain");
    for (int i = 0; i < 21 * 13; i++) {
        double mask = fmin(0.02 * (double)scene.ground[i], 1);
        assert_near(raster.data[i], (double)scene.ground[i] + 50 * mask, 1e-4);
    }
    harness_free(&raster);
}

TEST(functions_have_names_at_the_top)
{
    scene_size(4, 3);
    struct harness_raster raster =
        run("local clamp = field.clamp\n" SIMPLE("return clamp(f.terrain, 5, 5)"), no_nodes);
    assert_near(raster.data[11], 5, 0);
    harness_free(&raster);
    struct harness_raster none;
    assert_false(scene_try("local x = field.new(3)\n" SIMPLE("return x"), no_nodes, "field", &none));
    assert_non_null(strstr(scene.h.err.text, "probe.lua:1: fields are there only while"));
}

/* ---- The same on any number of threads ---- */

TEST(threads_do_not_count)
{
    need_device();
    scene_size(331, 200);
    scene_same_bits(
        SIMPLE("local t, n = f.terrain, field.noise{ feature = 70 }\n"
               "local e, s = t:gradient()\n"
               "local r = t:blur(300) + t:slope() * n + t:sample(field.column() + 5 * n, field.row())\n"
               "r = r + e:atan(s) + t:laplacian() + t:shift(3, 1) % 7 + t ^ 1.1\n"
               "r = r + t:sum() / 1e6 + t:mean() + t:quantile(0.2) + t:normalize():sin():smoothstep(0, 1)\n"
               "return r + t:map(function(v, x, y) return v * math.random() end)"),
        no_nodes, "field");
}

/* ---- What goes wrong ---- */

#define FAILS(body, ...) scene_fails(SIMPLE(body), no_nodes, "probe.lua:", __VA_ARGS__, NULL)

TEST(wrong_arguments_are_told)
{
    need_device();
    scene_size(6, 5);
    FAILS("local t = f.terrain\nreturn t + nil", "probe.lua:5: ", "field or number expected, got nil");
    FAILS("return f.terrain + {}", "probe.lua:4: ", "field or number expected, got table");
    FAILS("return '3' + f.terrain", "field or number expected, got string");
    FAILS("return f.terrain:blur()", "probe.lua:4: ", "blur(f, radius) was called with 1 value");
    FAILS("return f.terrain:blur('x')", "number expected, got string");
    FAILS("return f.terrain:blur(-1)", "a radius is 0 or more");
    FAILS("return f.terrain:blur(0/0)", "it is nan");
    FAILS("return f.terrain:shift(0.5, 0)", "it is not a whole number of cells");
    FAILS("return f.terrain:min()  + field.min()", "min(f, ...) was called with 0 values");
    FAILS("return f.terrain:min(1, 2, 3, 4, 5)", "called with 6 values");
    FAILS("return f.terrain:quantile(2)", "it is not from 0 to 1");
    FAILS("return f.terrain:blurr(3)", "method 'blurr'");
    FAILS("return field.noise{ size = 3 }", "noise has no option 'size'");
    FAILS("return field.noise{ octaves = 99 }", "'octaves' is a number from");
    FAILS("return field.build(3)", "function expected");
    FAILS("return field.build(function(x, y) if x == 2 then return nil end return 1 end)",
          "gives nil for cell (2, 0)");
    FAILS("return f.terrain:map(function(v) return v.x end)", "probe.lua:4: attempt to index");
    FAILS("return math.sin(f.terrain)", "number expected, got field");
    FAILS("if f.terrain > 3 then return 1 end", "attempt to compare");
    FAILS("f.terrain.height = 3", "attempt to index a field value");
    FAILS("return field.abs(f)", "field or number expected, got table");
    FAILS("return getmetatable(f.terrain).__index", "attempt to index a boolean value");
    FAILS("return field.abs(io)", "field or number expected");
}

TEST(wrong_results_are_told)
{
    need_device();
    scene_size(6, 50);
    FAILS("return", "probe.lua:3: 'field' gives 0 values, but the node has 1 output");
    FAILS("return 1, 2", "'field' gives 2 values");
    FAILS("local t = {} for i = 1, 5000 do t[i] = i end return table.unpack(t)", "'field' gives 5000 values");
    FAILS("return 'x'", "output 'field' is string, not a field or a number");
    FAILS("return f", "output 'field' is table");
    FAILS("return field.build(function(x, y) return y == 31 and x == 4 and 0 / 0 or 1 end)",
          "probe.lua:3: output 'field' is nan (cell 4, 31)");
    FAILS("return 1 / (f.terrain - f.terrain)", "output 'field' is infinite (cell 0, 0)");
    FAILS("return 0 / 0", "output 'field' is nan (cell 0, 0)");
    scene_fails(SCRIPT("", "{ name = \"flow\", type = \"vector\" }," OUT_FIELD, FIELD("return 1, 2")),
                no_nodes, "output 'flow' is number, not a table of the fields x and y", NULL);
    scene_fails(SCRIPT("", "{ name = \"flow\", type = \"vector\" }," OUT_FIELD, FIELD("return { x = 1 }, 2")),
                no_nodes, "output 'flow' is nil, not a field or a number", NULL);
}

/* ---- Limits ---- */

TEST(endless_loops_end)
{
    need_device();
    scene_size(32, 32);
    FAILS("local t = f.terrain while true do t = t + 1 end", "probe.lua:4: takes more than ", " steps");
    assert_int_equal(scene.h.err.code, ORO_E_LIMIT);
    assert_true(scene.seconds < 10);
    FAILS("local t = field.new(1) while true do t = t + 1 end", "steps");
    assert_true(scene.seconds < 10);
    FAILS("while true do pcall(function() while true do f.terrain:blur(1e5) end end) end", "steps");
    assert_true(scene.seconds < 10);
    FAILS("f.terrain:map(function() while true do end end)", "steps");
    assert_true(scene.seconds < 10);
    FAILS("while true do f.terrain:quantile(0.5) end", "steps");
    assert_true(scene.seconds < 10);
}

/* 64 MiB here, which are sixteen of them. */
TEST(fields_cannot_be_hoarded)
{
    need_device();
    scene_size(1024, 256);
    FAILS("local kept = {} for i = 1, 1e6 do kept[i] = f.terrain + i end", "probe.lua:4: takes more than ",
          "of memory");
    assert_int_equal(scene.h.err.code, ORO_E_LIMIT);
    expect_number("local t = f.terrain for i = 1, 500 do t = t + 1 end return t - t", 0);
}

TEST(no_memory_is_an_error)
{
    need_device();
    scene_size(9, 10);
    scene_survives_no_memory(
        SCRIPT(
            "{ name = \"mask\", type = \"mask\" },", OUT_FIELD,
            FIELD(
                "return f.terrain:blur(50) + f.terrain:quantile(0.5) + field.noise{ octaves = 2 } * p.mask")),
        PROBE(LINK("mask", "t.terrain")));
}

TEST(it_can_be_cancelled)
{
    need_device();
    scene_size(512, 512);
    struct harness_raster raster;
    scene.cancel_after = 0.2;
    bool ok = scene_try(SIMPLE("local t = f.terrain for i = 1, 2000 do t = t:blur(500):sin() end return t"),
                        no_nodes, "field", &raster);
    scene.cancel_after = 0;
    assert_false(ok);
    assert_int_equal(scene.h.err.code, ORO_E_CANCELLED);
    assert_true(scene.seconds < 1.5);
}

TEST_GROUP(scene_open, scene_close);
