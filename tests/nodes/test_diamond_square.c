/* diamond_square: against recursion, at several resolutions, its height, its distributions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"

enum { SEED = 5 };

/* Evaluates one node over cells of `cell` metres. `inputs` is XML made by printf. */
static struct harness_raster run(int width, int height, double cell, const char *inputs, ...)
    ORO_PRINTF(4, 5);
static struct harness_raster run(int width, int height, double cell, const char *inputs, ...)
{
    char text[2048], given[1024];
    va_list args;
    va_start(args, inputs);
    assert_true(vsnprintf(given, sizeof given, inputs, args) < (int)sizeof given);
    va_end(args);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"%.17g\" resolution=\"%d\" aspect=\"%.17g\" seed=\"%d\"",
                              "<node id=\"n\" type=\"diamond_square\" x=\"0\" y=\"0\">%s</node>\n"),
             cell * width, width, (double)height / width, SEED, given);
    struct harness_raster raster = harness_run(&h, text, "n", "field");
    assert_int_equal(raster.grid.width, width);
    assert_int_equal(raster.grid.height, height);
    for (int i = 0; i < width * height; i++)
        assert_true(isfinite(raster.data[i]));
    return raster;
}

/* The node's `seed` of 0, mixed with the document's. */
static uint32_t kernel_seed(void)
{
    int64_t both[2] = {SEED, 0};
    return (uint32_t)oro_hash_of(both, sizeof both).low;
}

/* Variance of a surface whose first displacements have variance 1, as the node says it is. */
static double variance(double roughness)
{
    double sum = 0;
    for (int i = 0; i < 16; i++)
        sum += pow(roughness, 2 * i);
    return 0.3281 * (1 + (roughness + roughness * roughness) / 2 * sum);
}

/* ---- By recursion (Fournier 1982, Miller 1986): one place at a time ---- */

struct squares {
    double side; /* of those that are there at first, one of which has a corner at the origin; metres */
    int halvings;
    double roughness; /* factor of displacements per halving; the first have standard deviation 1 */
    bool uniform;     /* displacements are, not Gaussian */
    uint32_t seed;
};

static double deviate(const struct squares *s, int level, int64_t x, int64_t y)
{
    uint32_t seed = oro_random_hash(s->seed + (uint32_t)level);
    uint32_t bits = oro_random_hash((uint32_t)x + oro_random_hash((uint32_t)y + oro_random_hash(seed)));
    double u = (bits >> 8) / 16777216.0, v = (oro_random_hash(bits) >> 8) / 16777216.0;
    if (s->uniform)
        return sqrt(12) * (u - 0.5);
    return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

/* A displacement goes with the distance to what the vertex is the mean of, in sides of the first squares. */
static double displacement(const struct squares *s, int level, int64_t x, int64_t y, double distance)
{
    double exponent = -log2(s->roughness);
    return pow(distance, exponent) * deviate(s, level, x, y);
}

/* Vertex (x, y) of a level, counted from the origin. */
static double vertex(const struct squares *s, int level, int64_t x, int64_t y)
{
    double side = ldexp(1, -level);
    bool odd_x = x & 1, odd_y = y & 1;
    if (level == 0)
        return displacement(s, 0, x, y, 1);
    if (!odd_x && !odd_y)
        return vertex(s, level - 1, x / 2, y / 2);
    double sum = 0;
    for (int i = -1; i <= 1; i += 2)
        for (int k = -1; k <= 1; k += 2)
            sum += odd_x && odd_y ? vertex(s, level, x + i, y + k)
                                  : vertex(s, level, x + (i + k) / 2, y + (i - k) / 2);
    double distance = odd_x && odd_y ? sqrt(2) * side : side;
    return sum / 4 + displacement(s, level, x, y, distance);
}

static double elevation(const struct squares *s, double x, double y)
{
    double side = ldexp(s->side, -s->halvings);
    double west = floor(x / side), north = floor(y / side), tx = x / side - west, ty = y / side - north;
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (i & 1 ? tx : 1 - tx) * (i & 2 ? ty : 1 - ty) *
               vertex(s, s->halvings, (int64_t)west + (i & 1), (int64_t)north + (i >> 1));
    return sum;
}

/* Worlds of all shapes; squares larger than the world, smaller than a cell, and much smaller. */
TEST(agrees_with_recursion)
{
    need_device();
    static const struct {
        int width, height, halvings;
        double cell, feature, roughness;
        bool uniform;
    } cases[] = {
        {13, 9, 4, 20, 300, 0.5, false}, {9, 14, 4, 20, 300, 0.7, true},   {1, 1, 5, 20, 500, 0.5, false},
        {1, 12, 3, 20, 123, 0.5, false}, {11, 1, 6, 10, 640, 0.6, false},  {7, 5, 6, 10, 500, 1, false},
        {6, 5, 0, 20, 20, 0.5, false},   {6, 5, 0, 20, 1.7, 0.5, false},   {6, 5, 1, 20, 20.5, 0.5, true},
        {8, 8, 4, 1000, 15000, 0, true}, {5, 4, 7, 0.125, 16, 0.4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct squares squares = {cases[i].feature, cases[i].halvings, cases[i].roughness, cases[i].uniform,
                                  kernel_seed()};
        struct harness_raster field =
            run(cases[i].width, cases[i].height, cases[i].cell,
                IN("feature", "%g") IN("roughness", "%g") IN("distribution", "%s") IN("amplitude", "100")
                    IN("offset", "30"),
                cases[i].feature, cases[i].roughness, cases[i].uniform ? "uniform" : "gaussian");
        double scale = 100 / (2 * sqrt(variance(cases[i].roughness)));
        for (int k = 0; k < cases[i].width * cases[i].height; k++) {
            double x = (k % cases[i].width + 0.5) * cases[i].cell;
            double y = (k / cases[i].width + 0.5) * cases[i].cell;
            /* The feature is a float in the node. */
            squares.side = (double)(float)cases[i].feature;
            assert_near(field.data[k], 30 + scale * elevation(&squares, x, y), 2e-3);
        }
        harness_free(&field);
    }
}

/* Vertices lie 3/4 of a coarse cell apart, and so in the centre of every third cell both ways. Three times
 * finer cells have one there too: the same place, whose height was settled in an early level. */
TEST(vertices_stay_as_they_are)
{
    need_device();
    const char *inputs = IN("feature", "1920") IN("amplitude", "100");
    struct harness_raster coarse = run(48, 36, 40, inputs), fine = run(144, 108, 40.0 / 3, inputs);
    for (int y = 1; y < 36; y += 3)
        for (int x = 1; x < 48; x += 3)
            assert_near(coarse.data[48 * y + x], fine.data[144 * (3 * y + 1) + 3 * x + 1], 2e-3);
    harness_free(&coarse);
    harness_free(&fine);
}

/* Root mean square of what cells `factor` times larger than 10 m lack, at their centres. */
static double lacking(const struct harness_raster *fine, int factor, const char *roughness)
{
    int side = fine->grid.width / factor;
    struct harness_raster coarse =
        run(side, side, 10.0 * factor, IN("feature", "2560") IN("amplitude", "100") IN("roughness", "%s"),
            roughness);
    double sum = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int at = fine->grid.width * (factor * y + factor / 2) + factor * x + factor / 2;
            double difference = (double)coarse.data[side * y + x] - (double)fine->data[at];
            sum += difference * difference;
        }
    harness_free(&coarse);
    return sqrt(sum / (side * side));
}

/* A coarser world lacks the levels below its last one: displacements that become `roughness` times as large
 * with every halving. */
TEST(detail_fades_with_resolution)
{
    need_device();
    static const char *const roughness[] = {"0.35", "0.5", "0.7"};
    for (int i = 0; i < 3; i++) {
        double g = strtod(roughness[i], NULL);
        struct harness_raster fine = run(
            945, 945, 10, IN("feature", "2560") IN("amplitude", "100") IN("roughness", "%s"), roughness[i]);
        double first = 100 / (2 * sqrt(variance(g)));
        for (int factor = 3; factor <= 27; factor *= 3) {
            int levels = (int)ceil(log2(256.0 / factor));
            double missing = first * pow(g, levels + 0.5) / sqrt(1 - g * g);
            double lack = lacking(&fine, factor, roughness[i]);
            assert_true(lack < missing);
            assert_true(lack > 0.3 * missing);
        }
        harness_free(&fine);
    }
}

/* A larger world has the same in its north-western corner, to the bit. */
TEST(world_is_a_window)
{
    need_device();
    const char *inputs = IN("feature", "700");
    struct harness_raster large = run(90, 70, 16, inputs), small = run(33, 20, 16, inputs);
    for (int y = 0; y < 20; y++)
        assert_memory_equal(large.data + 90 * y, small.data + 33 * y, 33 * sizeof(float));
    harness_free(&large);
    harness_free(&small);
}

static void moments(const struct harness_raster *field, double *mean, double *deviation, double *kurtosis)
{
    int cells = field->grid.width * field->grid.height;
    double second = 0, fourth = 0;
    *mean = 0;
    for (int i = 0; i < cells; i++)
        *mean += (double)field->data[i] / cells;
    for (int i = 0; i < cells; i++) {
        double square = pow((double)field->data[i] - *mean, 2);
        second += square / cells;
        fourth += square * square / cells;
    }
    *deviation = sqrt(second);
    *kurtosis = fourth / (second * second);
}

TEST(amplitude_is_two_deviations)
{
    need_device();
    for (int i = 0; i < 6; i++) {
        struct harness_raster field =
            run(512, 512, 10,
                IN("feature", "160") IN("amplitude", "100") IN("offset", "40") IN("roughness", "%s")
                    IN("distribution", "%s"),
                (const char *const[]){"0.3", "0.5", "0.65"}[i % 3], i < 3 ? "gaussian" : "uniform");
        double mean, deviation, kurtosis;
        moments(&field, &mean, &deviation, &kurtosis);
        assert_near(mean, 40, 4);
        assert_near(deviation, 50, 2.5);
        harness_free(&field);
    }
}

/* Where squares are far smaller than cells, each cell is a mean of four displacements of its own. Their
 * kurtosis is 3 where they are Gaussian, and less where they are uniform. */
TEST(distributions_differ)
{
    need_device();
    for (int uniform = 0; uniform < 2; uniform++) {
        struct harness_raster field = run(256, 256, 10, IN("feature", "0.7371") IN("distribution", "%s"),
                                          uniform ? "uniform" : "gaussian");
        double mean, deviation, kurtosis;
        moments(&field, &mean, &deviation, &kurtosis);
        assert_near(kurtosis, uniform ? 2.34 : 3.31, 0.15);
        harness_free(&field);
    }
}

TEST(inputs_scale_and_lift)
{
    need_device();
    struct harness_raster plain = run(40, 30, 25, IN("amplitude", "100"));
    struct harness_raster turned = run(40, 30, 25, IN("amplitude", "-200") IN("offset", "7"));
    struct harness_raster level = run(40, 30, 25, IN("amplitude", "0") IN("offset", "7"));
    for (int i = 0; i < 40 * 30; i++) {
        assert_near(turned.data[i], 7 - 2 * plain.data[i], 1e-3);
        assert_true(level.data[i] == 7);
    }
    harness_free(&plain);
    harness_free(&turned);
    harness_free(&level);
}

TEST(seeds_differ)
{
    need_device();
    struct harness_raster a = run(40, 30, 250, IN("seed", "1")), b = run(40, 30, 250, IN("seed", "2"));
    double sum = 0;
    for (int i = 0; i < 40 * 30; i++)
        sum += fabs((double)a.data[i] - (double)b.data[i]) / (40 * 30);
    assert_true(sum > 100);
    harness_free(&a);
    harness_free(&b);
}

/* Far from the origin, by 1e8 squares of the last level, the ground is as rough as near it. */
TEST(keeps_its_precision)
{
    need_device();
    struct harness_raster row =
        run(32768, 1, 3000, IN("feature", "1e7") IN("amplitude", "100") IN("roughness", "0.8"));
    struct harness_raster tiny = run(32768, 1, 30000, IN("feature", "9") IN("amplitude", "100"));
    double steps[2] = {0, 0}, deviation[2] = {0, 0};
    for (int x = 1; x < 4000; x++)
        for (int side = 0; side < 2; side++) {
            int at = side ? 32768 - x : x;
            double step = (double)row.data[at] - (double)row.data[at - 1];
            steps[side] += step * step;
            deviation[side] += (double)tiny.data[at] * (double)tiny.data[at];
        }
    assert_true(steps[0] > 0);
    assert_near(steps[1] / steps[0], 1, 0.2);
    assert_near(deviation[1] / deviation[0], 1, 0.2);
    harness_free(&row);
    harness_free(&tiny);
}

TEST_GROUP(open_harness, close_harness);
