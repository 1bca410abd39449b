/* Kernels from scripts on the device: what they compute, and what they must not be able to do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "lua/kernel/kernel.h"
#include "tests/nodes/harness.h"
#include "tests/support/test.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define CELL(body) "void cell(ivec2 p) { " body " }\n"

static struct harness h;

/* ---- A script that is put together by hand, and its place among the node types ---- */

struct params {
    float amount, mask, hard;
    int iterations, method, turns;
};

static const char *const methods[] = {"angle", "tangent", NULL};
static const struct oro_input all_inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .optional = true),
    ORO_IN_FIELD("other", .optional = true),
    ORO_IN_FLOAT(struct params, amount, 0.25, .min = -1000, .max = 1000),
    ORO_IN_MAP(struct params, hard, 3, .min = 0, .max = 4),
    ORO_IN_INT(struct params, iterations, 0, .min = 0, .max = 1000000),
    ORO_IN_INT(struct params, turns, 2, .min = -5, .max = 1000),
    ORO_IN_CHOICE(struct params, method, 0, methods),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_input maskless_inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .optional = true), {0}};
static const struct oro_output field_out[] = {ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD), {0}};
static const struct oro_output terrain_out[] = {ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN), {0}};
static const struct oro_output both_out[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD), ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN), {0}};
static const struct oro_output image_out[] = {
    ORO_OUT_IMAGE("picture"), ORO_OUT_VECTOR("flow"), ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD), {0}};

static struct oro_script script;
static const struct oro_node_type *types[512];
static struct oro_registry registry;

static int by_id(const void *a, const void *b)
{
    const struct oro_node_type *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

/* Whose groups of passes resume. */
static void count_iterations(void)
{
    static struct oro_input counting[sizeof all_inputs / sizeof all_inputs[0]];
    memcpy(counting, all_inputs, sizeof all_inputs);
    for (struct oro_input *input = counting; input->name; input++)
        if (strcmp(input->name, "iterations") == 0)
            input->role = ORO_ROLE_ITERATIONS;
    script.type.inputs = counting;
}

/* A new script without kernels. Its digest is new, too, so that nothing is found in the cache. */
static void begin_script(const struct oro_output *outputs)
{
    static uint64_t number;
    oro_arena_destroy(script.arena);
    script = (struct oro_script){.arena = oro_arena_create(),
                                 .text_count = 1,
                                 .texts = {{.name = "made.lua", .path = "", .text = ""}},
                                 .type = {.id = "made",
                                          .version = 1,
                                          .category = "test",
                                          .doc = "Made.",
                                          .inputs = all_inputs,
                                          .outputs = outputs,
                                          .params_size = sizeof(struct params),
                                          .eval = oro_script_eval_kernel,
                                          .script = &script,
                                          .file = "",
                                          .source = {++number, 1}}};
}

static int kernel(const char *text)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    script.kernels[script.kernel_count] =
        (struct oro_script_kernel){.name = names[script.kernel_count], .text = text, .line = 100};
    return script.kernel_count++;
}

static void pass(int of)
{
    script.passes[script.pass_count++] = (struct oro_script_pass){.kernel = of};
}

static void group(int count, int times, const char *input)
{
    script.passes[script.pass_count++] =
        (struct oro_script_pass){.kernel = -1, .count = count, .times = times, .input = input};
}

static void buffer(const char *name, enum oro_type type)
{
    script.buffers[script.buffer_count++] = (struct oro_script_buffer){name, type};
}

static void single(const struct oro_output *outputs, const char *text)
{
    begin_script(outputs);
    pass(kernel(text));
}

/* The same as a node in C would do: NAME_at and set_NAME are the engine's own. */
static const char *reference_text;
static bool reference(struct oro_eval *e, const void *params)
{
    (void)params;
    struct oro_buffer *out = oro_eval_buffer(e, oro_grid_cells(oro_eval_grid(e)));
    const char *name = oro_eval_type(e)->outputs[0].name;
    struct oro_dispatch once = {
        .kernel = "reference",
        .text = reference_text,
        .first_line = 1,
        .slots = {{"terrain", oro_eval_input(e, "terrain")},
                  {strcmp(name, "field") == 0 ? "field_out" : "terrain_out", out, ORO_WRITE}}};
    return oro_eval_dispatch(e, &once) && oro_eval_give(e, name, out);
}

FIXTURE(open_harness)
{
    if (!harness_open(&h))
        return 0;
    registry = *h.registry;
    for (size_t i = 0; i < registry.count; i++)
        types[i] = h.registry->types[i];
    types[registry.count++] = &script.type;
    script.type.id = "made";
    qsort(types, registry.count, sizeof *types, by_id);
    registry.types = types;
    h.registry = &registry;
    return 0;
}

FIXTURE(close_harness)
{
    harness_close(&h);
    oro_arena_destroy(script.arena);
    return 0;
}

static void need_device(void)
{
    if (!h.device)
        skip();
}

/* ---- Documents ---- */

#define NOISE "<node id=\"n\" type=\"noise\"><in name=\"feature\" value=\"300\"/></node>\n"
#define MASK                                                                                                 \
    "<node id=\"k\" type=\"noise\"><in name=\"seed\" value=\"5\"/><in name=\"amplitude\" "                   \
    "value=\"1\"/></node>\n"
#define LINKED "<in name=\"terrain\" from=\"n.field\"/>"
#define MADE(inputs) "<node id=\"m\" type=\"made\">" inputs "</node>\n"

static const char *document(int size, const char *nodes)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
             "<world extent=\"%d\" resolution=\"%d\"/>\n%s</orograph>\n",
             10 * size, size, nodes);
    return text;
}

/* Of all fields that a document gives. */
static struct harness_raster run(int size, const char *nodes, const char *output)
{
    const char *dot = strchr(output, '.');
    char node[16];
    snprintf(node, sizeof node, "%.*s", (int)(dot - output), output);
    if (script.arena)
        oro_script_prepare(&script, &h.err); /* where it is not used, it may be incomplete */
    return harness_run(&h, document(size, nodes), node, dot + 1);
}

static void fails(int size, const char *nodes, enum oro_code code, const char *part)
{
    struct harness_raster raster = {0};
    const char *output = script.type.outputs[0].name;
    if (oro_script_prepare(&script, &h.err))
        assert_false(harness_try(&h, document(size, nodes), "m", output, &raster));
    if (!strstr(h.err.text, part) || h.err.code != code)
        fail_msg("expected %d '%s', not %d '%s'", code, part, h.err.code, h.err.text);
}

static void assert_same(struct harness_raster a, struct harness_raster b)
{
    assert_int_equal(a.bytes, b.bytes);
    assert_memory_equal(a.data, b.data, a.bytes);
    harness_free(&a);
    harness_free(&b);
}

static void assert_all(struct harness_raster raster, float value)
{
    for (size_t i = 0; i < raster.bytes / sizeof(float); i++)
        if (raster.data[i] != value)
            fail_msg("%g at %zu, not %g", (double)raster.data[i], i, (double)value);
    harness_free(&raster);
}

/* ---- One pass ---- */

TEST(same_bits_as_the_slope_node)
{
    need_device();
    h.kernels_only = true;
    static const int sizes[] = {1, 2, 17, 64, 129};
    single(
        field_out,
        "#include \"lib/terrain.glsl\"\n" CELL(
            "float tangent = length(gradient(p)); set_field(p, params.method == METHOD_TANGENT ? tangent : "
            "degrees(atan(tangent)));"));
    for (size_t i = 0; i < COUNT(sizes); i++)
        assert_same(run(sizes[i], NOISE MADE(LINKED), "m.field"),
                    run(sizes[i], NOISE "<node id=\"s\" type=\"slope\">" LINKED "</node>\n", "s.field"));
    assert_same(run(33, NOISE MADE(LINKED "<in name=\"method\" value=\"tangent\"/>"), "m.field"),
                run(33,
                    NOISE "<node id=\"s\" type=\"slope\">" LINKED
                          "<in name=\"method\" value=\"tangent\"/></node>\n",
                    "s.field"));
    h.kernels_only = false;
}

#define SHARED_BODY                                                                                          \
    "float h = terrain_at(p), sum = 0.0;\n"                                                                  \
    "for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) sum += terrain_at(p + ivec2(x, y));\n"      \
    "float v = sqrt(abs(sum)) * hard_at(p) + params.amount * h + sin(oro_position(p).x);\n"

/* The same kernel, whoever runs it, with and without what may be linked. */
TEST(blends_as_other_nodes_do)
{
    need_device();
    static const char *const inputs[] = {
        NOISE MASK MADE(LINKED),
        NOISE MASK MADE(LINKED "<in name=\"mask\" value=\"0.3\"/>"),
        NOISE MASK MADE(LINKED "<in name=\"mask\" from=\"k.field\"/>"),
        NOISE MASK MADE(LINKED "<in name=\"mask\" from=\"k.field\"/><in name=\"hard\" from=\"n.field\"/>"),
    };
    for (size_t i = 0; i < COUNT(inputs); i++) {
        single(terrain_out, CELL(SHARED_BODY "set_terrain(p, v);"));
        struct harness_raster made = run(37, inputs[i], "m.terrain");
        begin_script(terrain_out);
        script.type.eval = reference;
        reference_text = "void main() { ivec2 p = oro_cell(); if (!oro_inside(p)) return;\n" SHARED_BODY
                         "set_terrain(p, v); }\n";
        assert_same(made, run(37, inputs[i], "m.terrain"));
    }
}

TEST(a_source_has_the_worlds_size)
{
    need_device();
    single(field_out,
           CELL("set_field(p, HAS_TERRAIN == 1 || terrain_at(p) != 0.0 ? 7.0 : float(grid.size.x));"));
    assert_all(run(9, MADE(""), "m.field"), 9);
}

TEST(other_rasters_than_fields)
{
    need_device();
    begin_script(image_out);
    buffer("turned", ORO_VECTOR);
    buffer("tint", ORO_IMAGE);
    pass(kernel(CELL("set_turned(p, vec2(p)); set_tint(p, vec4(p, 3.0, 4.0));")));
    pass(kernel(CELL(
        "vec2 v = turned_at(p + ivec2(1, 0)); vec4 t = tint_at(p - ivec2(0, 1)); set_picture(p, t.wzyx); "
        "set_flow(p, v.yx); set_field(p, v.x * 10.0 + t.y);")));
    struct harness_raster picture = run(5, MADE(""), "m.picture"), flow = run(5, MADE(""), "m.flow");
    struct harness_raster field = run(5, MADE(""), "m.field");
    assert_int_equal(picture.channels, 4);
    assert_int_equal(flow.channels, 2);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++) {
            float east = (float)(x < 4 ? x + 1 : 4), north = (float)(y > 0 ? y - 1 : 0);
            const float *c = picture.data + 4 * (5 * y + x), *f = flow.data + 2 * (5 * y + x);
            assert_true(c[0] == 4 && c[1] == 3 && c[2] == north && c[3] == (float)x);
            assert_true(f[0] == (float)y && f[1] == east);
            assert_true(field.data[5 * y + x] == east * 10 + north);
        }
    harness_free(&picture);
    harness_free(&flow);
    harness_free(&field);
}

/* Beyond the edge there is the edge; beyond an array, its end. */
TEST(nothing_is_read_outside)
{
    need_device();
    single(field_out,
           CELL("float a[3]; a[0] = 1.0; a[1] = 2.0; a[2] = 3.0; int i = 1000000 + p.x; a[-i] += 10.0;\n"
                "set_field(p, terrain_at(ivec2(-2147483647, p.y)) - terrain_at(ivec2(0, p.y)) + a[i] + "
                "a[-i * 1000]);"));
    assert_all(run(16, NOISE MADE(LINKED), "m.field"), 14);
}

/* ---- Several passes ---- */

/* What a pass reads is what was before it, wherever its cells are. */
TEST(passes_do_not_see_their_own_writes)
{
    need_device();
    begin_script(field_out);
    buffer("moved", ORO_FIELD);
    int start = kernel(CELL("set_moved(p, float(p.x + 100 * p.y));"));
    int move = kernel(CELL("set_moved(p, moved_at(p - ivec2(1, 1)));"));
    int end = kernel(CELL("set_field(p, moved_at(p));"));
    pass(start);
    group(1, 9, NULL);
    pass(move);
    pass(move);
    pass(end);
    struct harness_raster raster = run(70, MADE(""), "m.field");
    for (int y = 0; y < 70; y++)
        for (int x = 0; x < 70; x++) {
            int west = x > 10 ? x - 10 : 0, north = y > 10 ? y - 10 : 0;
            if (raster.data[70 * y + x] != (float)(west + 100 * north))
                fail_msg("%g at %d %d", (double)raster.data[70 * y + x], x, y);
        }
    harness_free(&raster);
}

TEST(what_is_not_set_stays)
{
    need_device();
    begin_script(both_out);
    int first = kernel(CELL("if (p.x == 0) set_field(p, 5.0); if (p.x == 1) set_terrain(p, 1.0);"));
    int second = kernel(CELL("if (p.x == 1) set_field(p, 6.0); set_field(p, field_at(p) + 1.0);"));
    int third = kernel(CELL("if (p.x > 1) set_field(p, 7.0);"));
    pass(first);
    pass(second);
    pass(third);
    struct harness_raster field = run(4, MADE(""), "m.field"), terrain = run(4, MADE(""), "m.terrain");
    for (int i = 0; i < 16; i++) {
        assert_true(field.data[i] == (i % 4 == 0 ? 6.0F : i % 4 == 1 ? 1.0F : 7.0F));
        assert_true(terrain.data[i] == (i % 4 == 1 ? 1.0F : 0.0F));
    }
    harness_free(&field);
    harness_free(&terrain);
}

/* What is read before anything set it is 0; where it is set, own values are not seen again. */
TEST(rasters_begin_as_zeros)
{
    need_device();
    begin_script(field_out);
    buffer("late", ORO_FIELD);
    int reads = kernel(CELL("set_field(p, field_at(p) * 10.0 + late_at(p) + 1.0); set_late(p, 3.0);"));
    pass(reads);
    pass(reads);
    assert_all(run(8, MADE(""), "m.field"), 14);
    script.passes[0] = (struct oro_script_pass){.kernel = -1, .count = 1, .times = 2};
    assert_all(run(9, MADE(""), "m.field"), 14);
}

TEST(passes_know_their_turn)
{
    need_device();
    begin_script(field_out);
    int adds = kernel(CELL("set_field(p, field_at(p) * 100.0 + pass.step * 10.0 + pass.steps);"));
    group(1, 0, "turns");
    pass(adds);
    pass(adds);
    assert_all(run(8, MADE("<in name=\"turns\" value=\"2\"/>"), "m.field"), 21201);
    assert_all(run(8, MADE("<in name=\"turns\" value=\"0\"/>"), "m.field"), 1);
    assert_all(run(8, MADE("<in name=\"turns\" value=\"-3\"/>"), "m.field"), 1);
}

/* Where no pass has set the terrain it is what came in, and other outputs are 0. */
TEST(idle_groups_pass_the_terrain_on)
{
    need_device();
    begin_script(both_out);
    int sets = kernel(CELL("set_terrain(p, 7.0); set_field(p, 7.0);"));
    group(1, 0, "turns");
    pass(sets);
    struct harness_raster ground = run(40, NOISE, "n.field");
    assert_same(run(40, NOISE MADE(LINKED "<in name=\"turns\" value=\"0\"/>"), "m.terrain"), ground);
    assert_all(run(8, MADE("<in name=\"turns\" value=\"0\"/>"), "m.terrain"), 0);
    assert_all(run(8, NOISE MADE(LINKED "<in name=\"turns\" value=\"0\"/>"), "m.field"), 0);
    assert_all(run(8, NOISE MADE(LINKED "<in name=\"turns\" value=\"1\"/>"), "m.field"), 7);
}

/* Where the terrain is set in a group it is blended once, when all is done. */
TEST(groups_blend_at_the_end)
{
    need_device();
    begin_script(both_out);
    int sets = kernel(
        CELL("if (pass.step == 0.0 || p.x > 9) set_terrain(p, terrain_at(p) + 3.0); set_field(p, 1.0);"));
    group(1, 3, NULL);
    pass(sets);
    struct harness_raster made =
        run(21, NOISE MASK MADE(LINKED "<in name=\"mask\" from=\"k.field\"/>"), "m.terrain");
    single(terrain_out, CELL("set_terrain(p, terrain_at(p) + 3.0);"));
    struct harness_raster once =
        run(21, NOISE MASK MADE(LINKED "<in name=\"mask\" from=\"k.field\"/>"), "m.terrain");
    for (size_t i = 0; i < made.bytes / sizeof(float); i++) /* other kernels may round in another way */
        assert_float_equal(made.data[i], once.data[i], 1e-4);
    single(terrain_out, CELL("set_terrain(p, terrain_at(p) + 3.0);"));
    struct harness_raster whole = run(21, NOISE MADE(LINKED), "m.terrain");
    assert_memory_not_equal(made.data, whole.data, made.bytes);
    harness_free(&made);
    harness_free(&once);
    harness_free(&whole);
}

/* Set by a pass, set again by a later one: only the last is blended, with the value itself. */
TEST(the_last_pass_blends)
{
    need_device();
    begin_script(terrain_out);
    pass(kernel(CELL("set_terrain(p, 1.0);")));
    pass(kernel(CELL("if (p.x > 3) set_terrain(p, 3.0);")));
    struct harness_raster raster = run(8, MADE("<in name=\"mask\" value=\"0.5\"/>"), "m.terrain");
    for (int i = 0; i < 64; i++) /* nothing is linked to blend with */
        assert_true(raster.data[i] == (i % 8 > 3 ? 3.0F : 1.0F));
    harness_free(&raster);
    struct harness_raster noise = run(8, NOISE, "n.field");
    raster = run(8, NOISE MADE(LINKED "<in name=\"mask\" value=\"0.5\"/>"), "m.terrain");
    for (int i = 0; i < 64; i++)
        assert_near(raster.data[i], 0.5F * (noise.data[i] + (i % 8 > 3 ? 3.0F : 1.0F)), 1e-4);
    harness_free(&raster);
    harness_free(&noise);
}

/* ---- Simulations ---- */

static void simulation(void)
{
    begin_script(both_out);
    buffer("heat", ORO_FIELD);
    int start = kernel(CELL("set_heat(p, terrain_at(p));"));
    int step =
        kernel(CELL("float sum = 0.0; for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) sum += "
                    "heat_at(p + ivec2(x, y)); set_heat(p, sum / 9.0 + sin(pass.step) + 0.01 * field_at(p)); "
                    "set_field(p, field_at(p) "
                    "+ 1.0);"));
    int after = kernel(CELL("set_heat(p, heat_at(p) + field_at(p)); if (p.x > 3) set_terrain(p, 1.0);"));
    int later = kernel(CELL("set_field(p, 100.0);")); /* in place */
    int end = kernel(CELL("set_terrain(p, heat_at(p) + field_at(p));"));
    pass(start);
    group(1, 0, "iterations");
    pass(step);
    pass(after);
    pass(after);
    pass(later);
    pass(end);
    count_iterations();
}

static struct harness_raster simulated(int iterations, uint64_t *dispatches)
{
    char nodes[1024];
    uint64_t before = h.device->dispatches;
    snprintf(nodes, sizeof nodes, NOISE MADE(LINKED "<in name=\"iterations\" value=\"%d\"/>"), iterations);
    struct harness_raster raster = run(40, nodes, "m.terrain");
    *dispatches = h.device->dispatches - before;
    return raster;
}

/* From the cache or from the start: the same bits. */
TEST(simulations_resume)
{
    need_device();
    uint64_t first, second, third, again;
    simulation();
    struct harness_raster five = simulated(5, &first), nine = simulated(9, &second);
    simulation(); /* another digest: nothing is known of it */
    struct harness_raster whole = simulated(9, &third);
    assert_true(second + 5 <= third);
    struct harness_raster back = simulated(5, &again); /* of nine there is no way back */
    assert_memory_equal(five.data, back.data, five.bytes);
    harness_free(&back);
    assert_memory_not_equal(five.data, nine.data, nine.bytes);
    harness_free(&five);
    assert_same(nine, whole);
    struct harness_raster none = simulated(0, &again), noise = run(40, NOISE, "n.field");
    for (int i = 0; i < 1600; i++)
        assert_near(none.data[i], noise.data[i] + 100, 1e-3);
    harness_free(&none);
    harness_free(&noise);
}

/* A kernel that asks how many steps there will be gives other states for other numbers. */
TEST(dependent_simulations_do_not_resume)
{
    need_device();
    static const char *const words[] = {"pass.steps", "float(params.iterations)"};
    for (size_t i = 0; i < COUNT(words); i++) {
        char text[256];
        uint64_t count;
        simulation();
        snprintf(text, sizeof text, CELL("set_heat(p, heat_at(p) + %s); set_field(p, 1.0);"), words[i]);
        script.kernels[1].text = text;
        harness_free(&(struct harness_raster){.data = simulated(5, &count).data});
        struct harness_raster nine = simulated(9, &count), noise = run(40, NOISE, "n.field");
        for (int k = 0; k < 1600; k++)
            assert_near(nine.data[k], noise.data[k] + 81 + 2 + 100, 1e-3);
        harness_free(&nine);
        harness_free(&noise);
    }
}

TEST(two_runs_are_equal)
{
    need_device();
    uint64_t count;
    simulation();
    h.kernels_only = true; /* and without the cache */
    assert_same(simulated(30, &count), simulated(30, &count));
    h.kernels_only = false;
}

/* ---- What is wrong ---- */

TEST(endless_loops_end)
{
    need_device();
    static const char *const loops[] = {
        "while (true) ;",
        "for (;;) { x += 1.0; }",
        "do { x += sin(x); } while (x < 1e30);",
        "for (int i = 0; i < 8; i++) i--;",
        "for (int i = 0; i >= 0; i = 0) for (int j = 0; j >= 0; j = 0) for (;;) x *= 1.1;",
        "while (true) { for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) x = cos(x + float(i * j)); "
        "}",
        "if (p.x == 40 && p.y == 50) while (true) ;",
    };
    for (size_t i = 0; i < COUNT(loops); i++)
        for (int size = 64; size <= 1024; size *= 16) {
            char text[512];
            double started = oro_now();
            snprintf(text, sizeof text,
                     "void cell(ivec2 p) {\nfloat x = float(p.x);\n%s\nset_field(p, x); }\n", loops[i]);
            single(field_out, text);
            fails(size, MADE(""), ORO_E_EVALUATE, "made.lua:102: the loops of one cell do not end");
            double took = oro_now() - started;
            if (took > 20)
                fail_msg("%g s for: %s", took, loops[i]);
        }
}

/* Cells that are computed side by side wait for each other's loops. Together they take more turns than
 * software drivers allow, each alone does not: the result is right, or there is none. */
TEST(drivers_that_stop_loops_are_noticed)
{
    need_device();
    struct harness_raster raster = {0};
    single(field_out,
           CELL("float n = 0.0; for (int i = 0; i < 128; i++) if (((i ^ p.x) & 7) == 0) for (int j = 0; j < "
                "1500; j++) n += 1.0; set_field(p, n);"));
    if (oro_script_prepare(&script, &h.err) && harness_try(&h, document(16, MADE("")), "m", "field", &raster))
        assert_all(raster, 16 * 1500);
    else
        assert_non_null(strstr(h.err.text, "the loops of one cell do not end"));
}

static char *repeated(const char *start, const char *part, int times, const char *end)
{
    struct oro_text text = {0};
    oro_text_add(&text, start);
    for (int i = 0; i < times; i++)
        oro_text_add(&text, part);
    oro_text_add(&text, end);
    return text.data;
}

/* Texts that make compilers recurse or write much: they come to an end. */
TEST(compilers_survive_large_kernels)
{
    need_device();
    static const struct {
        const char *start, *part;
        int times;
        const char *end;
    } large[] = {
        {"void cell(ivec2 p) { float x = terrain_at(p); x = x", " + x", 511, "; set_field(p, 1.0 + x); }"},
        {"void cell(ivec2 p) { float x = 1.0; x = ", "- ", 510, "x; set_field(p, 1.0 + x); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "x = ", 511, "2.0; set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = ", "(", 46,
         "1.0)))))))))))))))))))))))))))))))))))))))))))))); set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "if (terrain_at(p) == x) ", 46,
         "x = 2.0; set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "if (terrain_at(p + 1) == x) x += 3.0; else ", 60,
         "x = 2.0; set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "x = sin(x * 1.7) + terrain_at(p + int(x)); ", 200,
         "set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "for (int i = 0; i < 64; i++) x += terrain_at(p + i) * x; ",
         100, "set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "while (x < 3.0) x += abs(terrain_at(p)) + 1.0; ", 32,
         "set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "for (int i = 0; i < 2 + p.x / 100; i++) ", 8,
         "x++; set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = 1.0; mat4 m = mat4(terrain_at(p)), n = mat4(terrain_at(p + 1)); ",
         "m = m * n; n = n * m;", 150, "set_field(p, x + m[0].x + n[1].y); }"},
        {"void cell(ivec2 p) { float x = 1.0; ", "{ float a[1]; a[p.x] = x; x += a[p.y]; } ", 600,
         "set_field(p, x); }"},
        {"void cell(ivec2 p) { float x = terrain_at(p); ", "x = pow(x, x + 1.0); ", 240,
         "set_field(p, x > 0.0 ? 1.0 : 2.0); }"},
        {"void cell(ivec2 p) { ivec4 q = ivec4(p, p + int(terrain_at(p))); ", "q = q / q.yzwx;", 100,
         "set_field(p, float(q.x & q.y & q.z & q.w)); }"},
        {"float f(float x) { float a[64]; for (int i = 0; i < 64; i++) a[i] = x + float(i); return "
         "a[int(x)]; }\n"
         "void cell(ivec2 p) { float x = 1.0; ",
         "x += f(x); ", 16, "set_field(p, x); }"},
    };
    for (size_t i = 0; i < COUNT(large); i++) {
        char *text = repeated(large[i].start, large[i].part, large[i].times, large[i].end);
        double started = oro_now();
        single(field_out, text);
        struct harness_raster raster = {0};
        bool ok = oro_script_prepare(&script, &h.err) &&
                  harness_try(&h, document(16, MADE("")), "m", "field", &raster);
        harness_free(&raster);
        if (!ok)
            fail_msg("%.60s: %s", large[i].part, h.err.text);
        if (oro_now() - started > 60)
            fail_msg("%g s for: %.100s", oro_now() - started, large[i].part);
        free(text);
    }
}

/* Long work that is allowed, next to the limit. */
TEST(long_loops_are_allowed)
{
    need_device();
    single(field_out,
           CELL("int n = 0; for (int i = 0; i < 200 * 200; i++) n += i & 1; set_field(p, float(n));"));
    assert_all(run(8, MADE(""), "m.field"), 20000);
}

/* The budget, and all counted loops that there may be: no driver ends the loops, or the kernel fails. */
TEST(turns_up_to_the_limit_are_carried_out)
{
    need_device();
    single(field_out,
           CELL("int n = 0; for (int k = 0; k < 2; k++) for (int i = 0; i < 64; i++) for (int j = 0; j < "
                "64; j++) n += (p.x ^ j) & 1; for (int i = 0; i < 55990; i++) n += (p.x ^ i) & 1; "
                "set_field(p, float(n));"));
    assert_all(run(8, MADE(""), "m.field"), 4096 + 27995);
    single(field_out,
           CELL("int n = 0; for (int i = 0; i < 56001; i++) n += (p.x ^ i) & 1; set_field(p, float(n));"));
    fails(8, MADE(""), ORO_E_EVALUATE, "made.lua:100: the loops of one cell do not end");
}

/* It stops what comes after it, and its state is not kept. */
TEST(failed_simulations_leave_nothing)
{
    need_device();
    begin_script(field_out);
    int step =
        kernel(CELL("if (pass.step == 3.0) while (params.amount != 1.0) ; set_field(p, field_at(p) + 1.0);"));
    group(1, 0, "iterations");
    pass(step);
    count_iterations();
    fails(16, MADE("<in name=\"iterations\" value=\"20\"/>"), ORO_E_EVALUATE, "made.lua:100: the loops");
    assert_all(run(16, MADE("<in name=\"iterations\" value=\"2\"/>"), "m.field"), 2);
    fails(16, MADE("<in name=\"iterations\" value=\"21\"/>"), ORO_E_EVALUATE, "made.lua:100: the loops");
}

TEST(a_cell_sets_only_itself)
{
    need_device();
    single(field_out, CELL("set_field(p, 1.0); if (p.x == 3) set_field(p + ivec2(1, 0), 2.0);"));
    fails(32, MADE(""), ORO_E_EVALUATE,
          "set_field(q, v) where q is not the cell itself: a cell may set only itself");
    single(field_out, CELL("set_field(clamp(p, ivec2(0), grid.size - 1), 1.0);"));
    assert_all(run(32, MADE(""), "m.field"), 1);
}

TEST(mistakes_name_file_and_line)
{
    need_device();
    single(field_out, "\n\nvoid cell(ivec2 p) {\n  set_field(p, wrong);\n}\n");
    fails(4, MADE(""), ORO_E_KERNEL, "made.lua:103: error");
    single(field_out, "#include \"lib/hash.glsl\"\nvoid cell(ivec2 p) {\n  set_field(p, wrong);\n}\n");
    fails(4, MADE(""), ORO_E_KERNEL, "made.lua:102: error");
    single(field_out, "\nvoid cell(ivec2 p) {\n  barrier();\n}\n");
    fails(4, MADE(""), ORO_E_KERNEL, "made.lua:102: 'barrier'");
    single(field_out, "\nvoid cell(ivec2 p) {\n  set_field(p, vec2(1.0));\n}\n");
    script.kernels[0].line = 0;
    fails(4, MADE(""), ORO_E_KERNEL, "made.lua, kernel 'a':3: error");
    single(field_out, "\nvoid cell(ivec2 p) {\n  barrier();\n}\n");
    script.kernels[0].line = 0;
    fails(4, MADE(""), ORO_E_KERNEL, "made.lua: kernel 'a', line 3: 'barrier'");
}

TEST(scripts_are_checked_before_anything_runs)
{
    need_device();
    single(both_out, CELL("set_field(p, 1.0);"));
    fails(4, MADE(""), ORO_E_KERNEL, "made.lua: no pass sets the output 'terrain'");
    single(field_out, CELL("set_field(p, gone_at(p));"));
    buffer("gone", ORO_FIELD);
    fails(4, MADE(""), ORO_E_KERNEL, "the buffer 'gone' is read, and no pass sets it");
    begin_script(field_out);
    int often = kernel(CELL("set_field(p, 1.0);"));
    group(1, 0, "iterations");
    pass(often);
    uint64_t before = h.device->dispatches;
    fails(4, MADE("<in name=\"iterations\" value=\"100001\"/>"), ORO_E_LIMIT, "100001 passes");
    assert_int_equal(h.device->dispatches, before);
    struct oro_error err = {0};
    assert_true(oro_script_prepare(&script, &err));
    script.kernels[0].text = CELL("set_field(p, gl_x);");
    assert_false(oro_script_prepare(&script, &err));
    assert_non_null(strstr(err.text, "made.lua:100: "));
}

/* Sixteen buffers are bound at most; only what a pass uses counts. */
TEST(too_many_rasters_are_refused)
{
    need_device();
    static const char *const names[] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"};
    struct oro_text sets = {0}, both = {0};
    begin_script(field_out);
    oro_text_add(&sets, "void cell(ivec2 p) { set_field(p, 8.0);");
    oro_text_add(&both, "void cell(ivec2 p) { set_field(p, 0.0);");
    for (int i = 0; i < 8; i++) {
        buffer(names[i], ORO_FIELD);
        oro_text_addf(&sets, " set_b%d(p, 1.0);", i);
        oro_text_addf(&both, " set_b%d(p, b%d_at(p) + 1.0);", i, i);
    }
    oro_text_add(&sets, " }\n");
    oro_text_add(&both, " }\n");
    int set = kernel(sets.data), update = kernel(both.data);
    pass(set);
    assert_all(run(4, MADE(""), "m.field"), 8);
    script.type.source.low += 1000000;
    pass(update);
    fails(4, MADE(""), ORO_E_LIMIT, "made.lua: kernel 'b' reads and sets more than 16 rasters at once");
    oro_text_free(&sets);
    oro_text_free(&both);
}

TEST(scratch_is_counted)
{
    simulation();
    assert_true(oro_script_prepare(&script, NULL));
    assert_int_equal(script.type.scratch_fields, 1 + 2 + 1);
    single(field_out, CELL("set_field(p, 1.0);"));
    assert_true(oro_script_prepare(&script, NULL));
    assert_int_equal(script.type.scratch_fields, 1);
    buffer("tint", ORO_IMAGE);
    assert_true(oro_script_prepare(&script, NULL));
    assert_int_equal(script.type.scratch_fields, 5);
}

/* Where the type has no mask, `terrain` is not blended; an input wins over an output of its name. */
TEST(an_input_wins_over_an_output)
{
    need_device();
    begin_script(terrain_out);
    script.type.inputs = maskless_inputs;
    int twice = kernel(CELL("set_terrain(p, terrain_at(p) + 1.0);"));
    pass(twice);
    pass(twice);
    struct harness_raster made = run(12, NOISE MADE(LINKED), "m.terrain"), noise = run(12, NOISE, "n.field");
    for (int i = 0; i < 144; i++)
        assert_true(made.data[i] == noise.data[i] + 1.0F);
    harness_free(&made);
    harness_free(&noise);
}

TEST_GROUP(open_harness, close_harness);
