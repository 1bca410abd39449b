/* warp: where the ground moves to, and where it stays. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"

enum { WIDTH = 60, HEIGHT = 40, CELLS = WIDTH * HEIGHT };
static float values[CELLS];

/* Evaluates a document with `values`, in cells of 10 m, as the node `f`, and other nodes. */
static struct harness_raster run(const char *nodes)
{
    char path[128], text[4096], name[32];
    static int number;
    snprintf(name, sizeof name, "ground%d.pfm", number++);
    harness_store(&h, name, WIDTH, HEIGHT, values, path);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"600\" resolution=\"%d\"",
                              "<node id=\"f\" type=\"import\">" IN("file", "%s")
                                  IN("size", "file") "</node>\n%s"),
             WIDTH, path, nodes);
    return harness_run(&h, text, "n", "terrain");
}

#define WARP(inputs)                                                                                         \
    "<node id=\"n\" type=\"warp\"><in name=\"terrain\" from=\"f.terrain\"/>" inputs "</node>\n"

static struct harness_raster warp(const char *inputs)
{
    char nodes[1024];
    snprintf(nodes, sizeof nodes, WARP("%s"), inputs);
    return run(nodes);
}

static void fill_rough(void)
{
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)((i * 7919) % 1013) * 1.37f - 300;
}

static void fill_plane(double east, double south)
{
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)(100 + east * (i % WIDTH) * 10 + south * (i / WIDTH) * 10);
}

/* Cells that are not moved keep their bits, whatever the other inputs. */
TEST(nothing_to_do_keeps_bits)
{
    need_device();
    static const char *const cases[] = {
        WARP(IN("amplitude", "0")),
        WARP(IN("amplitude", "0") IN("iterations", "5") IN("octaves", "16") IN("edge", "repeat")),
        WARP(IN("amplitude", "0") IN("mask", "0.3")),
        WARP(IN("amplitude", "0") IN("method", "direction") IN("direction", "33")),
        WARP(IN("mask", "0")),
        "<node id=\"c\" type=\"constant\">" IN("value", "0") "</node>" WARP(
            "<in name=\"amplitude\" from=\"c.field\"/>"),
        "<node id=\"v\" type=\"flow_orientation\"><in name=\"terrain\" from=\"f.terrain\"/></node>" WARP(
            IN("amplitude", "0") IN("method", "vector") "<in name=\"vector\" from=\"v.direction\"/>"),
    };
    fill_rough();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness_raster same = run(cases[i]);
        assert_memory_equal(same.data, values, sizeof values);
        harness_free(&same);
    }
}

/* Index beyond the edge: as `edge` says. */
static int beyond(int i, int n, int edge)
{
    if (edge == 0)
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (edge == 1)
        return (i % n + n) % n;
    i = (i % (2 * n) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

TEST(directions_move)
{
    need_device();
    static const char *const edges[] = {"clamp", "repeat", "mirror"};
    static const struct {
        int bearing, x, y;
    } ways[] = {{90, 1, 0}, {180, 0, 1}, {270, -1, 0}, {0, 0, -1}};
    fill_rough();
    for (int edge = 0; edge < 3; edge++)
        for (int i = 0; i < 4; i++) {
            char inputs[256];
            snprintf(inputs, sizeof inputs,
                     IN("method", "direction") IN("amplitude", "70") IN("direction", "%d") IN("edge", "%s"),
                     ways[i].bearing, edges[edge]);
            struct harness_raster moved = warp(inputs);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    int from = WIDTH * beyond(y - 7 * ways[i].y, HEIGHT, edge) +
                               beyond(x - 7 * ways[i].x, WIDTH, edge);
                    assert_near(moved.data[WIDTH * y + x], values[from], 0.01);
                }
            harness_free(&moved);
        }
}

TEST(far_moves_are_finite)
{
    need_device();
    fill_rough();
    struct harness_raster far =
        warp(IN("method", "direction") IN("amplitude", "1000000") IN("iterations", "32"));
    for (int k = 0; k < CELLS; k++)
        assert_true(far.data[k] >= -600 && far.data[k] <= 1400); /* smooth surfaces swing over */
    harness_free(&far);
}

/* Between cells, on a plane: the smooth surface through it is the plane. */
TEST(moves_add_up)
{
    need_device();
    fill_plane(0.5, -0.2);
    struct harness_raster once = warp(IN("method", "direction") IN("amplitude", "46") IN("direction", "120"));
    struct harness_raster parts =
        warp(IN("method", "direction") IN("amplitude", "11.5") IN("direction", "120") IN("iterations", "4"));
    struct harness_raster half =
        warp(IN("method", "direction") IN("amplitude", "92") IN("direction", "120") IN("mask", "0.5"));
    double rise = 46 * (0.5 * sin(120 * 3.14159265358979 / 180) - 0.2 * -cos(120 * 3.14159265358979 / 180));
    for (int y = 8; y < HEIGHT - 8; y++)
        for (int x = 8; x < WIDTH - 8; x++) {
            int k = WIDTH * y + x;
            assert_near(once.data[k], (double)values[k] - rise, 2e-3);
            assert_near(parts.data[k], once.data[k], 2e-3);
            assert_near(half.data[k], once.data[k], 2e-3);
        }
    harness_free(&once);
    harness_free(&parts);
    harness_free(&half);
}

TEST(vectors_move)
{
    need_device();
    fill_plane(-0.5, 0);
    struct harness_raster moved = run("<node id=\"v\" type=\"flow_orientation\">" IN(
        "radius", "0") "<in name=\"terrain\" "
                       "from=\"f.terrain\"/></node>" WARP(IN("method", "vector") IN(
                           "amplitude", "35") "<in name=\"vector\" from=\"v.direction\"/>"));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 8; x < WIDTH - 8; x++)
            assert_near(moved.data[WIDTH * y + x], (double)values[WIDTH * y + x] + 0.5 * 35, 2e-3);
    harness_free(&moved);
}

/* What noise does to places, seen on a ramp of one metre a metre. */
TEST(noise_is_bounded_on_both_axes)
{
    need_device();
    double squares[2] = {0}, product = 0;
    float first[CELLS];
    for (int axis = 0; axis < 2; axis++) {
        fill_plane(axis == 0, axis == 1);
        struct harness_raster bent = warp(IN("amplitude", "40") IN("feature", "120"));
        for (int y = 6; y < HEIGHT - 6; y++)
            for (int x = 6; x < WIDTH - 6; x++) {
                int k = WIDTH * y + x;
                double away = (double)bent.data[k] - (double)values[k];
                assert_true(fabs(away) <= 40.01);
                squares[axis] += away * away;
                if (axis == 0)
                    first[k] = (float)away;
                else
                    product += away * (double)first[k];
            }
        harness_free(&bent);
    }
    const int count = (WIDTH - 12) * (HEIGHT - 12);
    assert_true(sqrt(squares[0] / count) > 6 && sqrt(squares[1] / count) > 6);
    assert_true(fabs(product) / sqrt(squares[0] * squares[1]) < 0.6);
}

/* The amplitude is a field, which is looked up on the way as well. */
#define BENT IN("feature", "200") IN("octaves", "1") "<in name=\"amplitude\" from=\"r.field\"/>"
#define RAMP "<node id=\"r\" type=\"ramp\">" IN("low", "-60") IN("high", "60") IN("angle", "135") "</node>"

TEST(iterations_are_warps_in_a_row)
{
    need_device();
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)(600 * sin(0.05 * (i % WIDTH)) * cos(0.04 * (i / WIDTH)));
    struct harness_raster both = run(RAMP WARP(BENT IN("iterations", "2")));
    struct harness_raster row =
        run(RAMP "<node id=\"a\" type=\"warp\"><in name=\"terrain\" from=\"f.terrain\"/>" BENT "</node>"
                 "<node id=\"n\" type=\"warp\"><in name=\"terrain\" from=\"a.terrain\"/>" BENT "</node>");
    double moved = 0;
    for (int y = 10; y < HEIGHT - 10; y++)
        for (int x = 10; x < WIDTH - 10; x++) {
            int k = WIDTH * y + x;
            assert_near(both.data[k], row.data[k], 0.05);
            moved = fmax(moved, fabs((double)both.data[k] - (double)values[k]));
        }
    assert_true(moved > 20);
    harness_free(&both);
    harness_free(&row);
}

TEST(noise_does_not_depend_on_resolution)
{
    need_device();
    struct harness_raster grids[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            HARNESS_DOCUMENT(
                "extent=\"9000\" resolution=\"%d\"",
                "<node id=\"a\" type=\"ramp\">" IN(
                    "high", "9000") "</node>"
                                    "<node id=\"n\" type=\"warp\"><in name=\"terrain\" from=\"a.field\"/>" IN(
                                        "iterations", "2") "</node>\n"),
            i ? 150 : 50);
        grids[i] = harness_run(&h, text, "n", "terrain");
    }
    for (int y = 6; y < 44; y++)
        for (int x = 6; x < 44; x++)
            assert_near(grids[0].data[50 * y + x], grids[1].data[150 * (3 * y + 1) + 3 * x + 1], 0.1);
    harness_free(&grids[0]);
    harness_free(&grids[1]);
}

TEST(vectors_must_be_linked)
{
    need_device();
    struct harness_raster raster = {0};
    const char *document =
        HARNESS_DOCUMENT("extent=\"100\" resolution=\"8\"",
                         "<node id=\"a\" type=\"noise\"/><node id=\"n\" type=\"warp\">"
                         "<in name=\"terrain\" from=\"a.field\"/>" IN("method", "vector") "</node>\n");
    assert_false(harness_try(&h, document, "n", "terrain", &raster));
    assert_non_null(strstr(h.err.text, "link 'vector'"));
}

TEST_GROUP(open_harness, close_harness);
