/* The uplift of a terrain that is given: uplift_from_terrain, and the fit of uplift_from_ridges and
 * uplift_from_rivers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/parallel.h"
#include "terrain/inversion/inversion.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"

/* A range that water made under an uneven uplift, and what is left of it after the ways that follow. */
#define SIDE_TEXT "96"
enum { SIDE = 96 };
#define MADE(more)                                                                                           \
    HARNESS_DOCUMENT("extent=\"9600\" resolution=\"" SIDE_TEXT "\" seed=\"7\"",                              \
                     NODE("rough", "noise", IN("feature", "4500"))                                           \
                         NODE("uneven", "remap", LINK("field", "rough.field") IN("to_high", "0.0012"))       \
                             NODE("border", "remap",                                                         \
                                  LINK("field", "rough.field") IN("to_low", "300") IN("to_high", "600"))     \
                                 NODE("made", "stream_power",                                                \
                                      LINK("uplift", "uneven.field") LINK("base_level", "border.field"))     \
                                     more)
#define BACK(inputs)                                                                                         \
    NODE("up", "uplift_from_terrain", LINK("terrain", "made.terrain") inputs)                                \
    NODE("back", "stream_power", LINK("uplift", "up.uplift") ON_IT)
#define ON_IT LINK("terrain", "up.terrain") IN("base", "terrain") IN("levels", "0") IN("roughness", "0")

static struct oro_agreement agreement_of(const char *document, const char *other)
{
    struct harness_raster made = harness_run(&h, document, "made", "terrain"),
                          back = harness_run(&h, document, other, "terrain");
    struct oro_agreement found;
    struct oro_balance_grid grid = {made.grid.width, made.grid.height, made.grid.cell};
    if (!oro_agree(&grid, back.data, made.data, &found, &h.err))
        fail_msg("%s", h.err.text);
    harness_free(&made);
    harness_free(&back);
    return found;
}

TEST(terrain_comes_back)
{
    need_device();
    struct oro_agreement a = agreement_of(MADE(BACK(IN("even", "4"))), "back");
    assert_near(a.mean[0] / a.mean[1], 1, 0.03);
    assert_near(a.highest[0] / a.highest[1], 1, 0.05);
    assert_true(a.correlation > 0.95);
    /* The law alone does not do. */
    a = agreement_of(MADE(BACK(IN("iterations", "0"))), "back");
    assert_true(fabs(a.mean[0] / a.mean[1] - 1) > 0.05 || a.correlation < 0.95);
}

/* What the node says of the terrain that comes is what comes. */
TEST(result_is_foretold)
{
    need_device();
    struct oro_agreement a = agreement_of(MADE(BACK(IN("iterations", "12"))), "back"),
                         b = agreement_of(MADE(BACK(IN("iterations", "12"))), "up");
    assert_near(a.mean[0] / b.mean[0], 1, 0.03);
    assert_true(harness_figure(&h, "up", "mean") >= 0);
}

/* Ground that rivers did not make. */
#define CRAGS(more)                                                                                          \
    HARNESS_DOCUMENT(                                                                                        \
        "extent=\"18000\" resolution=\"" SIDE_TEXT "\" seed=\"4\"",                                          \
        NODE("swell", "bumps",                                                                               \
             IN("count", "3") IN("radius_low", "3000") IN("radius_high", "5400") IN("height_low", "700"))    \
            NODE("rough", "noise",                                                                           \
                 IN("feature", "4200") IN("amplitude", "350") IN("offset", "350") IN("fractal", "ridged"))   \
                NODE("crags", "combine", LINK("a", "swell.terrain") LINK("b", "rough.field"))                \
                    NODE("made", "thermal_erosion", LINK("terrain", "crags.field") IN("iterations", "0"))    \
                        more)

/* The mean where nothing was pasted: beyond 3 km around (12000, 12000). */
static double mean_outside(const char *document, const char *node)
{
    struct harness_raster r = harness_run(&h, document, node, "terrain");
    double sum = 0;
    int count = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (hypot((x + 0.5) * 187.5 - 12000, (y + 0.5) * 187.5 - 12000) > 3000) {
                sum += (double)r.data[y * SIDE + x];
                count++;
            }
    harness_free(&r);
    return sum / count;
}

/* Ground that an edit of the uplift leaves in ruins is no range to work on: a tenth more in the east raises
 * that, a range that is pasted changes what is around it alone, and all else stays. From level ground the
 * same range comes. */
TEST(range_can_be_edited)
{
    need_device();
    static const char document[] =
        CRAGS(BACK("") NODE("there", "uplift_rasterize", LINK("uplift", "up.uplift"))
                  NODE("slanted", "ramp", IN("low", "1") IN("high", "1.1"))
                      NODE("more", "combine",
                           LINK("a", "there.field") LINK("b", "slanted.field") IN("method", "multiply"))
                          NODE("edited", "stream_power", LINK("uplift", "more.field") ON_IT)
                              NODE("copy", "uplift_region",
                                   LINK("uplift", "up.uplift") IN("from", "5000 5000") IN("to", "12000 12000")
                                       IN("radius_x", "3000") IN("radius_y", "3000") IN("angle", "120"))
                                  NODE("pasted", "stream_power", LINK("uplift", "copy.uplift") ON_IT)
                                      NODE("anew", "stream_power",
                                           LINK("uplift", "up.uplift") LINK("base_level", "up.base")));
    struct oro_agreement back = agreement_of(document, "back"), a = agreement_of(document, "edited");
    assert_near(a.mean[0] / back.mean[0], 1.02, 0.01);
    assert_true(a.correlation > back.correlation - 0.01);
    assert_near(mean_outside(document, "pasted") / mean_outside(document, "back"), 1, 0.03);
    a = agreement_of(document, "anew");
    assert_near(a.mean[0] / a.mean[1], 1, 0.03);
    assert_true(a.correlation > back.correlation - 0.02);
}

TEST(uplift_does_not_depend_on_threads)
{
    need_device();
    struct harness_raster first = {0}, again = {0};
    harness_forget(&h);
    oro_parallel_force(1);
    first = harness_run(&h, MADE(BACK(IN("iterations", "5"))), "up", "base");
    harness_forget(&h);
    oro_parallel_force(3);
    again = harness_run(&h, MADE(BACK(IN("iterations", "5"))), "up", "base");
    oro_parallel_force(0);
    assert_memory_equal(first.data, again.data, (size_t)SIDE * SIDE * sizeof(float));
    harness_free(&first);
    harness_free(&again);
}

/* Outlets, here the sea as well, are held where the terrain has them. */
TEST(sea_stays_where_it_is)
{
    need_device();
    static const char document[] = MADE(
        NODE("water", "mask_select", LINK("terrain", "made.terrain") IN("low", "-1000") IN("high", "500"))
            BACK(LINK("sea", "water.mask") IN("iterations", "4")));
    struct harness_raster made = harness_run(&h, document, "made", "terrain"),
                          sea = harness_run(&h, document, "water", "mask"),
                          up = harness_run(&h, document, "up", "terrain");
    int wet = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        wet += sea.data[i] > 0.5F;
        if (sea.data[i] > 0.5F && up.data[i] > made.data[i] + 200)
            fail_msg("cell %d of the sea rose from %g to %g m", i, (double)made.data[i], (double)up.data[i]);
    }
    assert_true(wet > 50);
    harness_free(&made);
    harness_free(&sea);
    harness_free(&up);
}

TEST(region_and_factor_cut_the_uplift)
{
    need_device();
    static const char document[] =
        MADE(NODE("half", "ramp", "") BACK(IN("iterations", "0"))
                 NODE("twice", "uplift_from_terrain",
                      LINK("terrain", "made.terrain") IN("iterations", "0") IN("factor", "2"))
                     NODE("none", "uplift_from_terrain",
                          LINK("terrain", "made.terrain") IN("iterations", "0") IN("region", "0"))
                         NODE("one", "uplift_rasterize", LINK("uplift", "up.uplift"))
                             NODE("two", "uplift_rasterize", LINK("uplift", "twice.uplift"))
                                 NODE("zero", "uplift_rasterize", LINK("uplift", "none.uplift")));
    struct harness_raster one = harness_run(&h, document, "one", "field"),
                          two = harness_run(&h, document, "two", "field"),
                          zero = harness_run(&h, document, "zero", "field");
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_near(two.data[i], 2 * one.data[i], 1e-6 * (double)fabsf(one.data[i]) + 1e-12);
        assert_true(zero.data[i] == 0);
    }
    harness_free(&one);
    harness_free(&two);
    harness_free(&zero);
}

/* Walls all around and no sea: there is no balance. */
TEST(water_needs_a_way_out)
{
    need_device();
    struct harness_raster result = {0};
    assert_false(harness_try(&h, MADE(BACK(IN("borders", "walls"))), "up", "base", &result));
    assert_true(strlen(h.err.text) > 20);
}

/* From level ground, with the mean height of the terrain that the lines come from, and its highest peak. */
TEST(lines_are_fitted)
{
    need_device();
    static const char document[] = HARNESS_DOCUMENT(
        "extent=\"9600\" resolution=\"" SIDE_TEXT "\" seed=\"7\"",
        NODE("rough", "noise", IN("feature", "4500"))
            NODE("uneven", "remap", LINK("field", "rough.field") IN("to_high", "0.004")) NODE(
                "made", "stream_power", LINK("uplift", "uneven.field")) NODE("crests", "divide_tree",
                                                                             LINK("terrain", "made.terrain"))
                NODE("rivers", "river_network", LINK("terrain", "made.terrain")) NODE(
                    "ranges", "uplift_from_ridges",
                    LINK("network", "crests.network") LINK("terrain", "made.terrain") IN("fit_peak", "true"))
                    NODE("ranged", "stream_power", LINK("uplift", "ranges.uplift"))
                        NODE("valleys", "uplift_from_rivers",
                             LINK("network", "rivers.network") LINK("terrain", "made.terrain"))
                            NODE("carved", "stream_power", LINK("uplift", "valleys.uplift"))
                                NODE("pattern", "uplift_from_ridges",
                                     LINK("network", "crests.network") LINK("terrain", "made.terrain")
                                         IN("fit_peak", "false"))
                                    NODE("mean_alone", "stream_power", LINK("uplift", "pattern.uplift")));
    struct oro_agreement a = agreement_of(document, "ranged");
    assert_near(a.mean[0] / a.mean[1], 1, 0.1);
    assert_near(a.highest[0] / a.highest[1], 1, 0.15);
    a = agreement_of(document, "carved");
    assert_near(a.mean[0] / a.mean[1], 1, 0.1);
    a = agreement_of(document, "mean_alone");
    assert_near(a.mean[0] / a.mean[1], 1, 0.1);
    assert_true(a.highest[0] / a.highest[1] > 1.3);
}

TEST_GROUP(open_harness, close_harness);
