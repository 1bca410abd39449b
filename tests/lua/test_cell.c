/* The function `cell` of scripts. */
#include "base/parallel.h"
#include "tests/lua/scene.h"

static const char *const no_nodes = PROBE("");

/* The ground as a kernel reads it: clamped to the edge. */
static double ground(int x, int y)
{
    x = x < 0 ? 0 : x >= scene.width ? scene.width - 1 : x;
    y = y < 0 ? 0 : y >= scene.height ? scene.height - 1 : y;
    return (double)scene.ground[y * scene.width + x];
}

static struct harness_raster run(const char *script, const char *nodes)
{
    need_device();
    return scene_run(script, nodes, "field");
}

/* Expects this number at all cells. */
static void expect(const char *script, const char *nodes, double wanted)
{
    struct harness_raster raster = run(script, nodes);
    for (size_t i = 0; i < oro_grid_cells(&raster.grid); i++)
        assert_near(raster.data[i], wanted, 1e-5);
    harness_free(&raster);
}

/* ---- What it sees ---- */

#define MEAN                                                                                                 \
    SCRIPT("", OUT_FIELD,                                                                                    \
           CELL("local t, s = f.terrain, 0\n"                                                                \
                "for j = -1, 1 do for i = -1, 1 do s = s + t(x + i, y + j) end end\n"                        \
                "return s / 9 + x - y"))

TEST(it_computes_as_c_does)
{
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {37, 23}, {130, 67}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        scene_size(sizes[k][0], sizes[k][1]);
        struct harness_raster raster = run(MEAN, no_nodes);
        assert_int_equal(raster.grid.width, sizes[k][0]);
        assert_int_equal(raster.grid.height, sizes[k][1]);
        for (int y = 0; y < scene.height; y++)
            for (int x = 0; x < scene.width; x++) {
                double sum = 0;
                for (int i = 0; i < 9; i++)
                    sum += ground(x + i % 3 - 1, y + i / 3 - 1);
                assert_true(raster.data[y * scene.width + x] == (float)(sum / 9 + x - y));
            }
        harness_free(&raster);
    }
}

TEST(it_knows_the_grids)
{
    scene_size(7, 5);
    expect(SCRIPT("", OUT_FIELD, CELL("return f.width + 100 * f.height + 1e4 * f.cell + 1e6 * (f.x + f.y)")),
           no_nodes, 7 + 500 + 1e5);
    expect(SCRIPT("", OUT_FIELD, CELL("local t = f.terrain return t.width + 100 * t.height + 1e4 * t.cell")),
           no_nodes, 7 + 500 + 1e5);
}

TEST(it_reads_between_cells)
{
    scene_size(6, 5);
    struct harness_raster raster =
        run(SCRIPT("", OUT_FIELD, CELL("return f.terrain(x + 0.25, y + 0.75)")), no_nodes);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 6; x++) {
            double north = 0.75 * ground(x, y) + 0.25 * ground(x + 1, y);
            double south = 0.75 * ground(x, y + 1) + 0.25 * ground(x + 1, y + 1);
            assert_near(raster.data[6 * y + x], 0.25 * north + 0.75 * south, 1e-4);
        }
    harness_free(&raster);
    expect(SCRIPT("", OUT_FIELD, CELL("return f.terrain(-1e300, 1e300) - f.terrain(0, f.height - 1)")),
           no_nodes, 0);
}

#define AMOUNT_WIDE "{ name = \"amount\", type = \"float\", default = 3, map = true },"
/* 0.4 to 2 */
#define HUNDREDTHS NODE("m", "combine", LINK("a", "t.terrain") IN("b", "0.02") IN("method", "multiply"))

TEST(maps_are_numbers_and_rasters)
{
    scene_size(9, 4);
    expect(SCRIPT(AMOUNT_WIDE, OUT_FIELD,
                  CELL("assert(math.type(f.amount.width) == 'integer')\n"
                       "return p.amount + 10 * f.amount(x, y) + 100 * f.amount(-5, 0.5)")),
           PROBE(IN("amount", "2")), 222);
    struct harness_raster raster =
        run(SCRIPT("{ name = \"amount\", type = \"float\", min = 0.5, max = 1.25, default = 1, map = true },",
                   OUT_FIELD, CELL("assert(f.amount(x, y) == p.amount) return p.amount + f.amount(x, y)")),
            HUNDREDTHS PROBE(LINK("amount", "m.field")));
    int held = 0;
    for (int i = 0; i < 36; i++) {
        double wanted = 0.02 * (double)scene.ground[i];
        held += wanted < 0.5 || wanted > 1.25;
        wanted = wanted < 0.5 ? 0.5 : wanted > 1.25 ? 1.25 : wanted;
        assert_near(raster.data[i], 2 * wanted, 1e-5);
    }
    assert_in_range(held, 1, 35);
    harness_free(&raster);
}

TEST(what_is_not_linked_is_nil)
{
    scene_size(3, 3);
    const char *script = SCRIPT("{ name = \"extra\", type = \"field\", optional = true },", OUT_FIELD,
                                CELL("return f.extra and f.extra(x, y) or -7"));
    expect(script, no_nodes, -7);
    struct harness_raster raster = run(script, PROBE(LINK("extra", "t.terrain")));
    assert_memory_equal(raster.data, scene.ground, 9 * sizeof(float));
    harness_free(&raster);
}

TEST(literals_come_as_they_are)
{
    expect(SCRIPT("{ name = \"n\", type = \"int\", default = 4 }, { name = \"on\", type = \"bool\" },\n"
                  "{ name = \"how\", type = \"choice\", choices = { \"a\", \"b\" }, default = \"b\" },",
                  OUT_FIELD, CELL("return p.n + (p.on and 10 or 20) + (p.how == 'b' and 100 or 200)")),
           PROBE(IN("n", "5")), 125);
}

TEST(images_and_vectors_have_channels)
{
    need_device();
    scene_size(8, 8);
    static const char script[] =
        SCRIPT("{ name = \"image\", type = \"image\" }, { name = \"flow\", type = \"vector\" },",
               "{ name = \"flow\", type = \"vector\" }, { name = \"image\", type = \"image\" }," OUT_FIELD,
               CELL("local r, g, b, a = f.image(x, y)\nlocal u, v = f.flow(x, y)\n"
                    "return v, -u, g, r, a, b, r + u"));
    static const char nodes[] = NODE("i", "hillshade", LINK("terrain", "t.terrain"))
        NODE("v", "tensor_field", "") PROBE(LINK("image", "i.image") LINK("flow", "v.direction"));
    struct harness_raster image =
        scene_run(script, NODE("s", "hillshade", LINK("terrain", "t.terrain")), "image");
    struct harness_raster flow = scene_run(script, NODE("s", "tensor_field", ""), "direction");
    struct harness_raster image_out = scene_run(script, nodes, "image");
    struct harness_raster flow_out = scene_run(script, nodes, "flow");
    struct harness_raster field = scene_run(script, nodes, "field");
    assert_int_equal(image_out.channels, 4);
    assert_int_equal(flow_out.channels, 2);
    for (int i = 0; i < 64; i++) {
        static const int from[] = {1, 0, 3, 2};
        for (int c = 0; c < 4; c++)
            assert_true(image_out.data[4 * i + c] == image.data[4 * i + from[c]]);
        assert_true(flow.data[2 * i] != flow.data[2 * i + 1]);
        assert_true(flow_out.data[2 * i] == flow.data[2 * i + 1]);
        assert_true(flow_out.data[2 * i + 1] == -flow.data[2 * i]);
        assert_near(field.data[i], image.data[4 * i] + flow.data[2 * i], 1e-6);
    }
    harness_free(&image);
    harness_free(&flow);
    harness_free(&image_out);
    harness_free(&flow_out);
    harness_free(&field);
}

/* ---- The mask ---- */

#define STEPPED NODE("a", "terrace", LINK("terrain", "t.terrain") IN("spacing", "20"))
#define BLENDING                                                                                             \
    SCRIPT("{ name = \"stepped\", type = \"field\" }, { name = \"mask\", type = \"mask\" },",                \
           "{ name = \"terrain\", type = \"field\" }," OUT_FIELD,                                            \
           CELL("local v = f.stepped(x, y) return v, v"))

TEST(the_mask_blends_as_in_kernels)
{
    need_device();
    scene_size(21, 13);
    static const char nodes[] =
        HUNDREDTHS STEPPED PROBE(LINK("stepped", "a.terrain") LINK("mask", "m.field"));
    struct harness_raster kernel =
        scene_run(BLENDING,
                  HUNDREDTHS NODE("s", "terrace",
                                  LINK("terrain", "t.terrain") IN("spacing", "20") LINK("mask", "m.field")),
                  "terrain");
    struct harness_raster script = scene_run(BLENDING, nodes, "terrain");
    struct harness_raster plain = scene_run(BLENDING, nodes, "field");
    double apart = 0;
    for (int i = 0; i < 21 * 13; i++) {
        assert_near(script.data[i], kernel.data[i], 1e-5 * 100);
        apart = fmax(apart, fabs((double)plain.data[i] - (double)script.data[i]));
    }
    assert_true(apart > 1); /* what is not called terrain is not blended */
    harness_free(&kernel);
    harness_free(&script);
    harness_free(&plain);
    script = scene_run(BLENDING, STEPPED PROBE(LINK("stepped", "a.terrain") IN("mask", "0")), "terrain");
    assert_memory_equal(script.data, scene.ground, 21 * 13 * sizeof(float));
    harness_free(&script);
}

/* ---- The same on any number of threads ---- */

TEST(threads_do_not_count)
{
    need_device();
    scene_size(50, 91);
    scene_same_bits("local count = 0\n" SCRIPT("{ name = \"seed\", type = \"seed\" },", OUT_FIELD,
                                               CELL("count = count + 1\n"
                                                    "return count + math.random() + f.terrain(y, x)")),
                    no_nodes, "field");
}

TEST(random_numbers_belong_to_cells)
{
#define DRAW(after)                                                                                          \
    SCRIPT("{ name = \"seed\", type = \"seed\" },", OUT_FIELD,                                               \
           CELL("local a = math.random() " after " return a"))
    scene_size(40, 30);
    struct harness_raster one = run(DRAW(""), no_nodes);
    struct harness_raster more = run(DRAW("for i = 1, x do math.random() end"), no_nodes);
    struct harness_raster other = run(DRAW(""), PROBE(IN("seed", "1")));
    assert_memory_equal(one.data, more.data, one.bytes);
    double sum = 0, products = 0;
    int equal = 0;
    for (int i = 0; i < 1200; i++) {
        sum += (double)one.data[i];
        products += i ? ((double)one.data[i] - 0.5) * ((double)one.data[i - 1] - 0.5) : 0;
        equal += one.data[i] == other.data[i] || (i && one.data[i] == one.data[i - 1]);
    }
    assert_near(sum / 1200, 0.5, 0.04);
    assert_near(products / 1200, 0, 0.01);
    assert_int_equal(equal, 0);
    harness_free(&one);
    harness_free(&more);
    harness_free(&other);
}

/* ---- What goes wrong ---- */

#define FAILS(body, ...)                                                                                     \
    scene_fails(SCRIPT("", OUT_FIELD, CELL(body)), no_nodes, "probe.lua:", __VA_ARGS__, NULL)
#define AT(place, what) "if x == 3 and y == " #place " then " what " end return 1"

TEST(errors_tell_file_line_and_cell)
{
    need_device();
    scene_size(16, 40);
    FAILS("if x == 3 and y == 21 then\nlocal n = nil\nreturn n.a end return 1", "probe.lua:6: ", "local 'n'",
          "(cell 3, 21)");
    FAILS(AT(7, "error('no luck')"), "probe.lua:4: no luck (cell 3, 7)");
    FAILS(AT(9, "return 0 / 0"), "probe.lua:3: output 'field' is nan", "(cell 3, 9)");
    FAILS(AT(9, "return 1 / 0"), "output 'field' is infinite", "(cell 3, 9)");
    FAILS(AT(9, "return 1e39"), "output 'field' is infinite", "(cell 3, 9)");
    FAILS(AT(9, "return '5'"), "output 'field' is string, not a finite number (cell 3, 9)");
    FAILS(AT(9, "return"), "'cell' gives 0 values, but the outputs take 1 (cell 3, 9)");
    FAILS(AT(9, "return 1, 2"), "'cell' gives 2 values");
    FAILS("local t = {} for i = 1, 5000 do t[i] = i end return table.unpack(t)", "'cell' gives 5000 values");
    FAILS("return f.terrain(x)", "probe.lua:4: ", "terrain(x, y) takes two numbers, not number and no value",
          "(cell 0, 0)");
    FAILS("return f.terrain(x, 0 / 0)", "y is nan");
    FAILS("return f.terrian(x, y)", "did you mean 'terrain'?");
    FAILS("return p.terrain(x, y)", "probe.lua:4: ", "'terrain' is a raster: it is f.terrain");
    FAILS("return p[1]", "p has the names of inputs, and no number");
    FAILS("f.terrain.width = 3 return 1", "probe.lua:4: ");
}

TEST(the_first_error_in_order_counts)
{
    need_device();
    scene_size(16, 200);
    for (int threads = 1; threads <= 4; threads++) {
        oro_parallel_force(threads);
        FAILS("if y >= 100 then error('late') end\n"
              "if y == 50 and x == 2 then for i = 1, 300000 do end error('early') end\nreturn 1",
              "probe.lua:5: early (cell 2, 50)");
    }
    oro_parallel_force(0);
}

TEST(metatables_are_out_of_reach)
{
    scene_size(2, 2);
    expect(SCRIPT("", OUT_FIELD, CELL("return getmetatable(f.terrain) == false and 1 or 0")), no_nodes, 1);
}

/* ---- Limits ---- */

TEST(endless_cells_end)
{
    need_device();
    scene_size(64, 64);
    FAILS(AT(40, "while true do end"), "probe.lua:4: ", "steps (cell 3, 40)");
    assert_int_equal(scene.h.err.code, ORO_E_LIMIT);
    assert_true(scene.seconds < 2);
    FAILS(AT(40, "while true do pcall(function() while true do end end) end"), "steps (cell 3, 40)");
    assert_true(scene.seconds < 2);
    /* The call that hides it is the last thing that the cell does. */
    FAILS("return select('#', pcall(function() while true do end end))", "steps (cell 0, 0)");
    assert_true(scene.seconds < 2);
    assert_int_equal(scene.h.err.code, ORO_E_LIMIT);
}

/* 6000 steps and more in each cell, of 5000 + 1e7 / cells. */
TEST(all_cells_together_have_a_limit)
{
    need_device();
    scene_size(128, 256);
    FAILS("for i = 1, 12000 do end return 1", "probe.lua:3: ", "all cells together", "(cell ");
    assert_int_equal(scene.h.err.code, ORO_E_LIMIT);
    assert_true(scene.seconds < 20);
}

TEST(memory_has_a_limit)
{
    need_device();
    scene_size(64, 16);
    scene_fails("local kept = {}\n" SCRIPT("", OUT_FIELD,
                                           CELL("local t = {} for i = 1, 20000 do t[i] = i end\n"
                                                "kept[#kept + 1] = t return 1")),
                no_nodes, "probe.lua:5: takes more than ", "(cell ", NULL);
    assert_int_equal(scene.h.err.code, ORO_E_LIMIT);
}

TEST(no_memory_is_an_error)
{
    need_device();
    scene_size(9, 10);
    scene_survives_no_memory(SCRIPT("{ name = \"mask\", type = \"mask\" },", OUT_FIELD,
                                    CELL("print('x') return f.terrain(x, y) + p.mask")),
                             PROBE(LINK("mask", "t.terrain")));
}

TEST(it_can_be_cancelled)
{
    need_device();
    scene_size(256, 256);
    struct harness_raster raster;
    oro_parallel_force(2); /* else many processors are done sooner */
    scene.cancel_after = 0.2;
    bool ok =
        scene_try(SCRIPT("", OUT_FIELD, CELL("for i = 1, 4000 do end return 1")), no_nodes, "field", &raster);
    scene.cancel_after = 0;
    oro_parallel_force(0);
    assert_false(ok);
    assert_int_equal(scene.h.err.code, ORO_E_CANCELLED);
    assert_true(scene.seconds < 1.5);
}

/* ---- Printing ---- */

TEST(prints_come_in_order)
{
    need_device();
    scene_size(4, 64);
    for (int threads = 1; threads <= 4; threads++) {
        oro_parallel_force(threads);
        struct harness_raster raster = scene_run(
            SCRIPT("", OUT_FIELD, CELL("if x == 0 and y % 10 == 0 then print('row' .. y) end return 1")),
            no_nodes, "field");
        harness_free(&raster);
        const char *at = scene.h.warnings;
        for (int y = 0; y < 64; y += 10) {
            char line[32];
            snprintf(line, sizeof line, "row%d\n", y);
            at = strstr(at, line);
            assert_non_null(at);
        }
    }
    oro_parallel_force(0);
    struct harness_raster raster =
        scene_run(SCRIPT("", OUT_FIELD, CELL("print('x') return 1")), no_nodes, "field");
    harness_free(&raster);
    assert_non_null(strstr(scene.h.warnings, "dropped"));
    assert_true(strlen(scene.h.warnings) < 1000);
    raster = scene_run("print('top')\n" SCRIPT("", OUT_FIELD, CELL("return 1")), no_nodes, "field");
    harness_free(&raster);
    assert_null(strstr(scene.h.warnings, "top")); /* it is told when the script is read, and then no more */
}

TEST_GROUP(scene_open, scene_close);
