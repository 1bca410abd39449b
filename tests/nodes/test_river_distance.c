/* river_distance: exact, against trying every river cell; thresholds; what is no number. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes/lib/distance_squares.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define DISTANCE(drainage, inputs)                                                                           \
    NODE("n", "river_distance", LINK("terrain", "f.terrain") LINK("drainage", drainage) inputs)

enum { CELLS_MAX = 64000 };
static float area[CELLS_MAX];
static const double diagonal = 1.4142135623730951;

/* Evaluates "n" among `nodes`; `area` is there as "f.terrain", in cells of 10 m. */
static struct harness_raster run(int width, int height, const char *nodes, const char *output)
{
    char path[128], name[32], text[4096];
    static int number;
    snprintf(name, sizeof name, "area%d.pfm", number++);
    harness_store(&h, name, width, height, area, path);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"%d\" resolution=\"%d\"",
                              NODE("f", "import", IN("file", "%s") IN("size", "file")) "%s"),
             10 * width, width, path, nodes);
    struct harness_raster raster = harness_run(&h, text, "n", output);
    assert_int_equal(raster.grid.width, width);
    assert_int_equal(raster.grid.height, height);
    assert_near(raster.grid.cell, 10, 1e-9);
    return raster;
}

/* The square of the distance in cells, by trying every cell; -1: there is no river. */
static long nearest_river(int width, int height, int cell)
{
    long least = -1;
    for (int i = 0; i < width * height; i++) {
        long x = i % width - cell % width, y = i / width - cell / width, squared = x * x + y * y;
        if (area[i] >= 5 && (least < 0 || squared < least))
            least = squared;
    }
    return least;
}

/* Of a raster in which rivers are 5 and more. */
static void check(int width, int height)
{
    struct harness_raster distance =
                              run(width, height, DISTANCE("f.terrain", IN("threshold", "5")), "distance"),
                          rivers = run(width, height, DISTANCE("f.terrain", IN("threshold", "5")), "rivers");
    for (int i = 0; i < width * height; i++) {
        long squared = nearest_river(width, height, i);
        double want = squared < 0 ? 10 * hypot(width, height) : 10 * sqrt((double)squared);
        assert_near(distance.data[i], want, 1e-6 * want);
        assert_true(rivers.data[i] == (area[i] >= 5 ? 1.0f : 0.0f));
        if (squared >= 0)
            assert_int_equal(lround(pow((double)distance.data[i] / 10, 2)), squared);
    }
    harness_free(&distance);
    harness_free(&rivers);
}

static void fill(int cells, float value)
{
    for (int i = 0; i < cells; i++)
        area[i] = value;
}

static void scatter(int cells, double share, unsigned seed)
{
    for (int i = 0; i < cells; i++)
        area[i] = site_random(seed, i) < share ? 5.0f : 4.9f;
}

static const int sizes[][2] = {{1, 1}, {2, 2},    {1, 37},   {41, 1},  {33, 20}, {64, 64},
                               {7, 5}, {17, 131}, {130, 18}, {65, 64}, {63, 65}, {31, 16}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

TEST(scattered_rivers_are_exact)
{
    need_device();
    static const double shares[] = {0.5, 0.1, 0.02, 0.003};
    for (int i = 0; i < SIZES; i++)
        for (unsigned k = 0; k < 4; k++) {
            scatter(sizes[i][0] * sizes[i][1], shares[k], 10 * (unsigned)i + k);
            check(sizes[i][0], sizes[i][1]);
        }
    scatter(301 * 201, 0.0005, 77);
    check(301, 201);
}

/* Lines and circles have many cells that are as near to one river as to another. */
TEST(ties_are_exact)
{
    need_device();
    enum { SIDE = 65 };
    for (int i = 0; i < SIDE * SIDE; i++)
        area[i] = i % SIDE == 32 || i / SIDE == 32 ? 9 : 0;
    check(SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        area[i] = fabs(hypot(i % SIDE - 32, (double)(i / SIDE) - 32) - 25) < 0.5 ? 9 : 0;
    check(SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        area[i] = (i % SIDE + i / SIDE) % 16 == 0 ? 9 : 0;
    check(SIDE, SIDE);
}

TEST(one_river_cell_is_seen_from_everywhere)
{
    need_device();
    for (int i = 0; i < SIZES; i++) {
        int cells = sizes[i][0] * sizes[i][1];
        for (int k = 0; k < 3; k++) {
            fill(cells, 4);
            area[k * (cells - 1) / 2] = 1e9f;
            check(sizes[i][0], sizes[i][1]);
        }
    }
}

/* Everywhere the same. What the cache has is not told again: the values are those of no other test. */
static void check_even(int width, int height, float value, const char *warning, const char *other)
{
    fill(width * height, value);
    struct harness_raster distance =
        run(width, height, DISTANCE("f.terrain", IN("threshold", "5")), "distance");
    assert_true(h.computed > 0);
    assert_non_null(strstr(h.warnings, warning));
    assert_null(strstr(h.warnings, other));
    harness_free(&distance);
    check(width, height);
}

TEST(all_and_none_are_told)
{
    need_device();
    for (int i = 0; i < SIZES; i++) {
        check_even(sizes[i][0], sizes[i][1], 6, "every cell is a river", "no rivers");
        check_even(sizes[i][0], sizes[i][1], 3, "no rivers", "every cell");
    }
    area[0] = 1;
    area[1] = 6;
    struct harness_raster some = run(2, 1, DISTANCE("f.terrain", IN("threshold", "5")), "distance");
    assert_string_equal(h.warnings, "");
    harness_free(&some);
}

/* In the eastern half rivers need less: 3 instead of 8. The area is the column's number. */
TEST(the_threshold_is_a_map)
{
    need_device();
    enum { SIDE = 12 };
    for (int i = 0; i < SIDE * SIDE; i++)
        area[i] = (float)(i % SIDE);
    struct harness_raster distance =
        run(SIDE, SIDE,
            NODE("least", "ramp", IN("low", "8") IN("high", "3"))
                NODE("steps", "remap",
                     LINK("field", "least.field") IN("to_low", "3") IN("to_high", "8")
                         IN("curve", "0 0, 0.49 0, 0.51 1, 1 1"))
                    DISTANCE("f.terrain", LINK("threshold", "steps.field")),
            "distance");
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_near(distance.data[i], 10 * fmax(6 - i % SIDE, 0), 1e-5);
    harness_free(&distance);
}

/* NaN where `area` is so large that 1e35 times as much is infinite; elsewhere 0. */
#define HOLES                                                                                                \
    NODE("vast", "combine", LINK("a", "f.terrain") IN("b", "1e35") IN("method", "multiply"))                 \
    NODE("holes", "combine", LINK("a", "vast.field") LINK("b", "vast.field") IN("method", "subtract"))

TEST(what_is_no_number_is_no_river)
{
    need_device();
    enum { SIDE = 9 };
    for (int i = 0; i < SIDE * SIDE; i++)
        area[i] = i % SIDE == 0 ? 1e9f : 7;
    struct harness_raster of_drainage =
        run(SIDE, SIDE, HOLES DISTANCE("holes.field", IN("threshold", "0")), "distance");
    struct harness_raster of_threshold =
        run(SIDE, SIDE, HOLES DISTANCE("f.terrain", LINK("threshold", "holes.field")), "distance");
    struct harness_raster nowhere =
        run(SIDE, SIDE, HOLES DISTANCE("holes.field", IN("threshold", "1")), "distance");
    assert_non_null(strstr(h.warnings, "no rivers"));
    for (int i = 0; i < SIDE * SIDE; i++) {
        float want = i % SIDE == 0 ? 10 : 0;
        assert_near(of_drainage.data[i], want, 1e-5);
        assert_near(of_threshold.data[i], want, 1e-5);
        assert_near(nowhere.data[i], 10 * SIDE * diagonal, 1e-3);
    }
    harness_free(&of_drainage);
    harness_free(&of_threshold);
    harness_free(&nowhere);
}

/* ---- Squares of distances beyond 31 bits ---- */

static double decoded(int32_t square)
{
    float value;
    memcpy(&value, &square, sizeof value);
    return square < -1 ? -(double)value : square;
}

TEST(squares_on_the_host)
{
    enum { WIDE = 131072, HIGH = 2 };
    int32_t *cells = malloc(WIDE * HIGH * sizeof *cells);
    for (int way = 0; way < 2; way++) {
        int marked = way ? WIDE - 3 : 2;
        for (int i = 0; i < WIDE * HIGH; i++)
            cells[i] = i == marked ? 0 : -1;
        assert_true(oro_distance_squares(cells, WIDE, HIGH));
        for (int i = 0; i < WIDE * HIGH; i++) {
            double x = i % WIDE - marked, y = i / WIDE, want = x * x + y * y;
            assert_true(decoded(cells[i]) == (want > INT32_MAX ? (double)(float)want : want));
        }
    }
    free(cells);
}

/* The plane falls towards the river at one end of the raster. */
TEST(far_rivers)
{
    enum { WIDE = 70000 };
    static const char *const angles[] = {"90", "270"};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HARNESS_DOCUMENT("extent=\"700000\" resolution=\"70000\" aspect=\"0.0000142857\"",
                                  NODE("f", "ramp", IN("low", "2") IN("high", "1") IN("angle", "%s"))
                                      NODE("n", "river_distance",
                                           LINK("terrain", "f.field") LINK("drainage", "f.field")
                                               IN("threshold", "1.9999"))),
                 angles[k]);
        struct harness_raster distance = harness_run(&h, text, "n", "distance");
        assert_int_equal(distance.grid.width, WIDE);
        int rivers = 0;
        for (int i = 0; i < WIDE; i++)
            rivers += distance.data[i] == 0;
        assert_true(rivers > 0 && rivers < 100);
        for (int i = 0; i < WIDE; i++) {
            int from_end = k ? WIDE - 1 - i : i, cells = from_end < rivers ? 0 : from_end - rivers + 1;
            assert_near(distance.data[i], 10.0 * cells, 1e-6 * 10.0 * cells);
        }
        harness_free(&distance);
    }
}

/* Without drainage it is that of `flow`. */
TEST(drainage_is_found)
{
    need_device();
    enum { WIDTH = 70, HEIGHT = 50 };
    static const char *const names[] = {"distance", "rivers"};
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        area[i] = (float)(3 * (i % WIDTH) + 40 * site_random(5, i));
    struct harness_raster drainage =
        run(WIDTH, HEIGHT, NODE("n", "flow", LINK("terrain", "f.terrain")), "drainage");
    for (int k = 0; k < 2; k++) {
        struct harness_raster own =
            run(WIDTH, HEIGHT,
                NODE("n", "river_distance", LINK("terrain", "f.terrain") IN("threshold", "4000")), names[k]);
        struct harness_raster linked = run(WIDTH, HEIGHT,
                                           NODE("w", "flow", LINK("terrain", "f.terrain"))
                                               DISTANCE("w.drainage", IN("threshold", "4000")),
                                           names[k]);
        assert_memory_equal(own.data, linked.data, own.bytes);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            assert_true((own.data[i] > 0) == ((drainage.data[i] >= 4000) == (k == 1)));
        harness_free(&own);
        harness_free(&linked);
    }
    harness_free(&drainage);
}

TEST_GROUP(open_harness, close_harness);
