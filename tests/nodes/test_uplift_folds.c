/* uplift_folds: what its inputs do to the ranges. How they grow is tested in tests/folds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "terrain/network/network.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"

/* `west` is 1 in the western half and 0 in the eastern, `around` circles about the middle. */
enum { SIDE = 64 };
#define WORLD "extent=\"10000\" resolution=\"64\""
#define DOCUMENT(inputs)                                                                                     \
    HARNESS_DOCUMENT(                                                                                        \
        WORLD,                                                                                               \
        NODE("west", "ramp", IN("low", "1") IN("high", "0") IN("start", "4999 0") IN("end", "5001 0"))       \
            NODE("bearing", "constant", IN("value", "90"))                                                   \
                NODE("around", "tensor_field", IN("method", "circular")) NODE("n", "uplift_folds", inputs)   \
                    NODE("field", "combine", LINK("a", "n.uplift")))

static struct harness_raster folds(const char *inputs)
{
    char text[4096];
    snprintf(text, sizeof text, DOCUMENT("%s"), inputs);
    return harness_run(&h, text, "field", "field");
}

static double highest(const struct harness_raster *field, int first, int last)
{
    double high = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = first; x < last; x++)
            high = fmax(high, (double)field->data[y * SIDE + x]);
    return high;
}

/* Crests are higher where they branch. */
static void expect_crests(const struct harness_raster *field, double uplift)
{
    double high = highest(field, 0, SIDE) / uplift;
    print_message("crests rise to %.2f of the uplift\n", high);
    assert_true(high > 0.9 && high < 1.3);
}

/* How much more the field changes from north to south than from west to east: ranges that run east are
 * above 1. */
static double stripes(const struct harness_raster *field, int first, int last)
{
    double down = 0, across = 0;
    for (int y = first; y < last; y++)
        for (int x = first; x < last; x++) {
            const float *at = field->data + y * SIDE + x;
            down += fabs((double)at[SIDE] - (double)at[0]);
            across += fabs((double)at[1] - (double)at[0]);
        }
    return down / across;
}

TEST(ranges_follow_the_direction)
{
    need_device();
    static const char *const inputs[] = {
        IN("angle", "90") IN("alpha", "20") IN("radius", "300"),
        IN("angle", "0") IN("alpha", "20") IN("radius", "300"),
        LINK("angle", "bearing.field") IN("alpha", "20") IN("radius", "300"),
    };
    for (int i = 0; i < 3; i++) {
        struct harness_raster field = folds(inputs[i]);
        double ratio = stripes(&field, 0, SIDE - 1);
        assert_true(i == 1 ? ratio < 0.7 : ratio > 1.4);
        expect_crests(&field, 0.0005);
        harness_free(&field);
    }
    struct harness_raster round =
        folds(LINK("tensor", "around.tensor") IN("alpha", "20") IN("radius", "300"));
    double north = 0;
    for (int y = 0; y < 16; y++)
        for (int x = 24; x < 40; x++) {
            const float *at = round.data + y * SIDE + x;
            north += fabs((double)at[SIDE] - (double)at[0]) - fabs((double)at[1] - (double)at[0]);
        }
    assert_true(north > 0);
    harness_free(&round);
}

TEST(maps_thin_out_and_lower)
{
    need_device();
    struct harness_raster thin = folds(LINK("density", "west.field"));
    struct harness_raster low = folds(LINK("elevation", "west.field"));
    struct harness_raster half = folds(IN("elevation", "0.5"));
    struct harness_raster none = folds(IN("density", "0"));
    assert_true(highest(&thin, 0, 24) > 0.00045 && highest(&thin, 42, SIDE) == 0);
    assert_true(highest(&low, 0, 24) > 0.00045 && highest(&low, 42, SIDE) == 0);
    expect_crests(&half, 0.00025);
    assert_true(highest(&none, 0, SIDE) == 0);
    harness_free(&thin);
    harness_free(&low);
    harness_free(&half);
    harness_free(&none);
}

TEST(a_denser_map_only_adds)
{
    need_device();
    struct harness_raster some = folds(IN("density", "0.4")), more = folds(IN("density", "0.7"));
    double gained = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_true(some.data[i] <= more.data[i]);
        gained += (double)more.data[i] - (double)some.data[i];
    }
    assert_true(gained > 0);
    harness_free(&some);
    harness_free(&more);
}

TEST(wide_angles_make_fewer_clusters)
{
    need_device();
    double before = INFINITY;
    static const char *const inputs[] = {IN("alpha", "5"), IN("alpha", "30"), IN("alpha", "90")};
    for (int i = 0; i < 3; i++) {
        struct harness_raster field = folds(inputs[i]);
        double clusters = harness_figure(&h, "n", "clusters"), discs = harness_figure(&h, "n", "discs");
        assert_true(clusters < before);
        assert_true(harness_figure(&h, "n", "segments") == discs - clusters);
        assert_true(discs > 350 && discs < 500);
        before = clusters;
        harness_free(&field);
    }
}

TEST(crests_are_a_network_without_loops)
{
    need_device();
    struct oro_error err;
    struct harness_raster crests = harness_run(&h, DOCUMENT(IN("density", "0.8")), "n", "network");
    const struct oro_network *network = oro_network_of(crests.data, crests.bytes, &err);
    assert_non_null(network);
    assert_true(oro_network_check_tree(network, &err));
    assert_true(network->line_count == harness_figure(&h, "n", "segments"));
    assert_true(network->line_count < harness_figure(&h, "n", "discs") - harness_figure(&h, "n", "clusters"));
    for (uint32_t i = 0; i < network->vertex_count; i++) {
        struct oro_vertex at = oro_network_vertices(network)[i];
        assert_true(at.x >= 0 && at.x <= 10000 && at.y >= 0 && at.y <= 10000);
    }
    harness_free(&crests);
}

TEST(folds_repeat_and_seeds_differ)
{
    need_device();
    struct oro_cache *cache = h.cache;
    h.cache = NULL;
    struct harness_raster first = folds(""), same = folds(""), other = folds(IN("seed", "1"));
    h.cache = cache;
    assert_memory_equal(first.data, same.data, SIDE * SIDE * sizeof(float));
    assert_memory_not_equal(first.data, other.data, SIDE * SIDE * sizeof(float));
    harness_free(&first);
    harness_free(&same);
    harness_free(&other);
}

TEST(nonsense_is_refused_in_words)
{
    need_device();
    static const char *const cases[][2] = {
        {IN("warp", "3000") IN("wavelength", "4000"), "half the wavelength"},
        {IN("distance", "5"), "distance"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4096];
        struct harness_raster field = {0};
        snprintf(text, sizeof text, DOCUMENT("%s"), cases[i][0]);
        assert_false(harness_try(&h, text, "field", "field", &field));
        if (!strstr(h.err.text, cases[i][1]))
            fail_msg("%s", h.err.text);
    }
    struct harness_raster field = {0};
    assert_false(harness_try(&h,
                             HARNESS_DOCUMENT("extent=\"1000000\" resolution=\"16\"",
                                              NODE("n", "uplift_folds", IN("distance", "100"))
                                                  NODE("field", "combine", LINK("a", "n.uplift"))),
                             "field", "field", &field));
    assert_non_null(strstr(h.err.text, "take 1395 m or more"));
}

TEST_GROUP(open_harness, close_harness);
