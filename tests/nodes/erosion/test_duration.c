/* Physical time: the same duration does the same work at every resolution (docs/time.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/hydrology/steady_drainage.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

/* ---- Resolutions ---- */

enum { SIDE = 48 }; /* of the coarsest grid, on which patterns are compared */

/* Features of 250 m and more, which the coarsest grid, of 78 m, shows as well: the world is the same on all.
 */
#define WORLD                                                                                                \
    "<node id=\"hills\" type=\"noise\" x=\"0\" y=\"0\">" IN("feature", "4000") IN("octaves", "%d")           \
        IN("amplitude", "%d") IN("offset", "2000") "</node>"

struct simulation {
    const char *type, *inputs;
    int octaves, relief;
    int extent; /* metres */
};

static float *take(int side, const struct simulation *s, const char *node, const char *output,
                   const char *text)
{
    static char document[4096];
    char world[64];
    snprintf(world, sizeof world, "extent=\"%d\" resolution=\"%d\"", s->extent, side);
    snprintf(document, sizeof document, HARNESS_DOCUMENT("%s", WORLD "%s"), world, s->octaves, s->relief,
             text);
    return harness_run(&h, document, node, output).data;
}

/* Means over the cells of the coarsest grid. */
static void reduce(const float *before, const float *after, int side, double *change)
{
    int factor = side / SIDE;
    memset(change, 0, SIDE * SIDE * sizeof *change);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            change[SIDE * (y / factor) + x / factor] +=
                ((double)after[side * y + x] - (double)before[side * y + x]) / (factor * factor);
}

/* A Gaussian of 4 cells, along one axis; near the border, the part inside. */
static void low_pass(const double *from, double *to, int along, int across)
{
    for (int line = 0; line < SIDE; line++)
        for (int i = 0; i < SIDE; i++) {
            double sum = 0, weights = 0;
            for (int k = i < 12 ? 0 : i - 12; k <= i + 12 && k < SIDE; k++) {
                double weight = exp(-(k - i) * (k - i) / 32.0);
                sum += weight * from[across * line + along * k];
                weights += weight;
            }
            to[across * line + along * i] = sum / weights;
        }
}

static double correlation(const double *a, const double *b)
{
    double mean[2] = {0}, ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        mean[0] += a[i] / (SIDE * SIDE);
        mean[1] += b[i] / (SIDE * SIDE);
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        double u = a[i] - mean[0], v = b[i] - mean[1];
        ab += u * v;
        aa += u * u;
        bb += v * v;
    }
    return ab / sqrt(aa * bb);
}

/* The mean change, its pattern after the low-pass, and the iterations that it took. */
static double measure(const struct simulation *s, int side, double *pattern, double *iterations)
{
    static double change[SIDE * SIDE];
    char node[1024];
    snprintf(node, sizeof node, "<node id=\"n\" type=\"%s\" version=\"1\" x=\"0\" y=\"0\">%s%s</node>",
             s->type, LINK("terrain", "hills.field"), s->inputs);
    float *before = take(side, s, "hills", "field", node), *after = take(side, s, "n", "terrain", node);
    *iterations = harness_figure(&h, "n", "iterations");
    double mean = 0;
    for (int i = 0; i < side * side; i++)
        mean += fabs((double)after[i] - (double)before[i]) / side / side;
    reduce(before, after, side, change);
    low_pass(change, pattern, 1, SIDE);
    low_pass(pattern, change, SIDE, 1);
    memcpy(pattern, change, sizeof change);
    oro_free(before);
    oro_free(after);
    return mean;
}

/* Means differ by no more than `apart`. */
static void check_apart(const struct simulation *s, double apart)
{
    static double pattern[3][SIDE * SIDE];
    double mean[3], iterations[3];
    for (int i = 0; i < 3; i++)
        mean[i] = measure(s, SIDE << i, pattern[i], &iterations[i]);
    for (int i = 0; i < 3; i++)
        print_message("%s %s: %d cells, %g iterations: %.4g m, correlation %.4f\n", s->type, s->inputs,
                      SIDE << i, iterations[i], mean[i], correlation(pattern[i], pattern[2]));
    for (int i = 0; i < 2; i++) {
        assert_true(iterations[i + 1] >= iterations[i]);
        assert_near(mean[i] / mean[2], 1, apart);
        assert_true(correlation(pattern[i], pattern[2]) >= 0.95);
    }
}

static void check_resolutions(const struct simulation *s)
{
    check_apart(s, 0.1);
}

TEST(fluvial_erosion_agrees_at_all_resolutions)
{
    need_device();
    check_resolutions(&(struct simulation){"fluvial_erosion", "", 5, 1000, 3750});
    check_resolutions(&(struct simulation){"fluvial_erosion", IN("erodibility", "0.0002"), 5, 500, 3750});
}

/* Cells of 3.9 to 15.6 reference cells, on long smooth slopes, where water runs as a sheet and gathers in
 * valleys. */
TEST(sheets_and_channels_carve_alike_on_wide_cells)
{
    need_device();
    check_apart(&(struct simulation){"fluvial_erosion", "", 2, 75, 15000}, 0.2);
    check_apart(&(struct simulation){"fluvial_erosion", "", 2, 1500, 15000}, 0.2);
}

TEST(thermal_erosion_agrees_at_all_resolutions)
{
    need_device();
    check_resolutions(&(struct simulation){"thermal_erosion", IN("repose", "25"), 4, 2500, 3750});
    check_resolutions(&(struct simulation){
        "thermal_erosion", IN("repose", "20") IN("amount", "0.001") IN("duration", "30000"), 4, 1500, 3750});
}

TEST(hydraulic_erosion_agrees_at_all_resolutions)
{
    need_device();
    check_resolutions(&(struct simulation){"hydraulic_erosion", "", 5, 2000, 3750});
}

TEST(deposition_agrees_at_all_resolutions)
{
    need_device();
    check_resolutions(
        &(struct simulation){"deposition", IN("capacity", "0.001") IN("duration", "600000"), 4, 1000, 3750});
}

TEST(constraint_erosion_agrees_at_all_resolutions)
{
    need_device();
    static const struct simulation worlds[] = {
        {"constraint_erosion", IN("gorge_strength", "0") IN("connect", "false"), 5, 500, 3750},
        {"constraint_erosion", IN("gorge_strength", "0") IN("connect", "false"), 4, 1000, 3750},
        {"constraint_erosion", "", 3, 800, 3750},
    };
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
        check_resolutions(&worlds[i]);
}

/* Gorges take the same ways, and are as wide and deep. */
TEST(gorges_agree_at_all_resolutions)
{
    need_device();
    check_apart(&(struct simulation){"constraint_erosion",
                                     IN("erodibility", "0") IN("duration", "1000") IN("connect", "false"), 4,
                                     1000, 3750},
                0.25);
}

/* ---- Iterations ---- */

#define TERRAIN LINK("terrain", "ground.terrain")

static float *run(const float *ground, const char *type, const char *inputs)
{
    struct site site = site_start(&h, 41, 29, 30);
    site_raster(&site, "ground", ground);
    site_node(&site, "n", type, TERRAIN "%s", inputs);
    return site_take(&site, "n", "terrain");
}

/* A longer duration goes on from a shorter one; the result is that of a run in one go. */
TEST(time_can_be_added)
{
    need_device();
    static const char *const types[] = {"fluvial_erosion", "thermal_erosion", "deposition"};
    float *ground = site_rough(41, 29, 12, 900, 300, 6);
    for (int i = 0; i < 3; i++) {
        harness_forget(&h);
        oro_free(run(ground, types[i], IN("duration", "15000")));
        oro_free(run(ground, types[i], IN("iterations", "20")));
        float *added = run(ground, types[i], IN("duration", "60000"));
        assert_near(harness_figure(&h, "n", "iterations"), 40, 0);
        harness_forget(&h);
        float *at_once = run(ground, types[i], IN("duration", "60000"));
        assert_memory_equal(at_once, added, 41 * 29 * sizeof *added);
        float *none = run(ground, types[i], IN("duration", "0"));
        assert_memory_equal(ground, none, 41 * 29 * sizeof *none);
        oro_free(added);
        oro_free(at_once);
        oro_free(none);
    }
    oro_free(ground);
}

/* ---- Drainage ---- */

static void check_settled(bool walls, double exponent)
{
    enum { WIDTH = 37, HEIGHT = 26 };
    float *ground = site_rough(WIDTH, HEIGHT, 12, 500, -200, 5), *rain = site_scatter(WIDTH, HEIGHT, 0, 2, 3);
    float *settled = site_uniform(WIDTH, HEIGHT, 0);
    struct site site = site_start(&h, WIDTH, HEIGHT, 20);
    site_raster(&site, "ground", ground);
    site_raster(&site, "rain", rain);
    site_node(&site, "n", "drainage",
              TERRAIN LINK("rain", "rain.terrain") IN("iterations", "400") IN("flow_exponent", "%g")
                  IN("borders", "%s"),
              exponent, walls ? "walls" : "outflow");
    float *area = site_take(&site, "n", "drainage");
    struct oro_steady_drainage steady = {WIDTH, HEIGHT, 20, exponent, walls, ground};
    struct oro_error err = {0};
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        settled[i] = 400 * rain[i];
    assert_true(oro_steady_drainage(&steady, settled, &err));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_near(settled[i], area[i], 1e-4 * (double)area[i]);
    oro_free(ground);
    oro_free(rain);
    oro_free(area);
    oro_free(settled);
}

TEST(steady_drainage_is_where_steps_lead_to)
{
    need_device();
    check_settled(false, 1.3);
    check_settled(false, 8);
    check_settled(true, 1);
    check_settled(true, 4);
}

TEST_GROUP(open_harness, close_harness);
