/* Elevation constraints: they are met where possible, and reported as unmet elsewhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "graph/type/node.h"
#include "terrain/network/network.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { SIDE = 96, CELL = 200, POINTS = 10 };
static const double extent = (double)SIDE * CELL;

static const char *const methods[] = {IN("method", "implicit"),
                                      IN("method", "explicit") IN("iterations", "60000")};

static struct site level_site(int side)
{
    struct site site = site_start(&h, side, side, CELL);
    float *level = site_uniform(side, side, 0);
    site_raster(&site, "start", level);
    oro_free(level);
    return site;
}

static void add_range(struct site *site, const char *inputs, const char *constraints)
{
    site_node(site, "range", "stream_power",
              LINK("terrain", "start.terrain") "%s<in name=\"constraints\" value=\"%s\"/>", inputs,
              constraints);
}

static float *take(const struct site *site, const char *inputs, const char *constraints, const char *output)
{
    struct site whole = *site;
    add_range(&whole, inputs, constraints);
    return site_take(&whole, "range", output);
}

static double at(const float *z, int side, double x, double y)
{
    return (double)z[(int)(y / CELL) * side + (int)(x / CELL)];
}

/* ---- Constraints that can be met ---- */

/* Ten places, so far from each other that discs of 2 km around them do not meet. */
static void place(int i, double *x, double *y)
{
    *x = extent * (0.14 + 0.24 * (i % 4)) + 100;
    *y = extent * (0.18 + 0.3 * (double)(i / 4)) + 100;
}

TEST(ten_points_are_met)
{
    need_device();
    struct site site = level_site(SIDE);
    for (int method = 0; method < 2; method++) {
        float *free = take(&site, methods[method], "", "terrain");
        char text[1024] = "";
        double asked[POINTS], x, y;
        for (int i = 0; i < POINTS; i++) {
            place(i, &x, &y);
            asked[i] = at(free, SIDE, x, y) * (0.6 + 0.1 * i);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%g %g %g 2000", i ? ";" : "", x, y,
                     asked[i]);
        }
        float *met = take(&site, methods[method], text, "terrain"),
              *correction = take(&site, methods[method], text, "correction");
        for (int i = 0; i < POINTS; i++) {
            place(i, &x, &y);
            double got = at(met, SIDE, x, y);
            if (fabs(got - asked[i]) > 0.01 * asked[i])
                fail_msg("method %d, point %d: %g m instead of %g (%g without)", method, i, got, asked[i],
                         at(free, SIDE, x, y));
        }
        place(0, &x, &y); /* lower than it would be; the last one higher */
        assert_true(at(correction, SIDE, x, y) < 0);
        place(9, &x, &y);
        assert_true(at(correction, SIDE, x, y) > 0);
        assert_near(at(correction, SIDE, x + 2500, y), 0, 0); /* nothing beyond the radius */
        oro_free(free);
        oro_free(met);
        oro_free(correction);
    }
}

TEST(a_line_is_met)
{
    need_device();
    struct site site = level_site(64);
    static const char ridge[] = "3000 6400 2000 2500, 6400 6400 2300 2500, 9800 6400 2000 2500";
    float *z = take(&site, "", ridge, "terrain");
    for (int i = 0; i < 3; i++)
        assert_near(at(z, 64, 3000 + 3400 * i, 6400), i == 1 ? 2300 : 2000, 46);
    oro_free(z);
}

/* Ten places in a row, high and low in turns, whose discs reach over their neighbours: what raises one raises
 * others. */
struct row {
    int side;
    double low, high; /* elevations, or relative to the ground without constraints */
    double reach;     /* radius, in distances from place to place */
    double between;   /* places, relative to the extent */
    double turned;    /* radians, from west to east */
};

static void place_in_row(const struct row *row, int i, double *x, double *y)
{
    *x = (0.5 + (i - 4.5) * row->between * cos(row->turned)) * row->side * CELL;
    *y = (0.5 + (i - 4.5) * row->between * sin(row->turned)) * row->side * CELL;
}

static void write_row(const struct row *row, const float *free, char text[1024], double asked[POINTS])
{
    double x, y;
    text[0] = 0;
    for (int i = 0; i < POINTS; i++) {
        place_in_row(row, i, &x, &y);
        asked[i] = (free ? at(free, row->side, x, y) : 1) * (i % 2 ? row->high : row->low);
        snprintf(text + strlen(text), 1024 - strlen(text), "%s%g %g %g %g", i ? ";" : "", x, y, asked[i],
                 row->reach * row->between * row->side * CELL);
    }
}

static void expect_row(const struct row *row, const float *z, const double asked[POINTS])
{
    double x, y;
    for (int i = 0; i < POINTS; i++) {
        place_in_row(row, i, &x, &y);
        double got = at(z, row->side, x, y);
        if (fabs(got - asked[i]) > 0.01 * asked[i])
            fail_msg("%d cells, point %d: %g m instead of %g", row->side, i, got, asked[i]);
    }
    assert_null(strstr(h.warnings, "instead of"));
}

static void meet_row(const struct row *row, const char *inputs, bool relative)
{
    char text[1024];
    double asked[POINTS];
    struct site site = level_site(row->side);
    float *free = relative ? take(&site, inputs, "", "terrain") : NULL;
    write_row(row, free, text, asked);
    float *met = take(&site, inputs, text, "terrain");
    expect_row(row, met, asked);
    oro_free(free);
    oro_free(met);
}

TEST(rows_that_share_their_ground_are_met)
{
    need_device();
    static const struct row rows[] = {{SIDE, 0.9, 1.15, 1.5, 0.075, 0}, {SIDE, 0.9, 1.15, 2.5, 0.06, 0.8},
                                      {64, 0.75, 1.3, 2.5, 0.06, 1.6},  {64, 0.6, 1, 1.5, 0.075, 0.8},
                                      {48, 0.9, 1.15, 2, 0.075, 2.4},   {64, 1, 1.5, 2.5, 0.06, 0.3}};
    static const char *const seeds[] = {
        "", IN("seed", "12"), IN("seed", "3"), IN("seed", "37"), IN("seed", "5"), IN("seed", "40")};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        meet_row(&rows[i], seeds[i], true);
        assert_true(i || harness_figure(&h, "range/level0", "steps") < 100);
    }
    meet_row(&(struct row){48, 1650, 1950, 2, 0.075, 0}, methods[1], false);
}

#define LOW "300"
static const char valley[] = "4600 5000 " LOW " 1200";
#define SUBSIDE IN("subsidence", "true")

/* The middle of a range, which its rivers leave far higher than is asked for. */
TEST(a_valley_is_met)
{
    need_device();
    enum { LARGER = 72 };
    struct site site = level_site(48), large = level_site(LARGER);
    float *held = take(&site, IN("subsidence", "false"), valley, "terrain");
    assert_true(at(held, 48, 4600, 5000) > 1.5 * 300);
    assert_true(harness_figure(&h, "range", "constraints_unmet") == 1);
    assert_non_null(strstr(h.warnings, "'subsidence' lowers"));
    float *sunk = take(&site, SUBSIDE, valley, "terrain");
    assert_near(at(sunk, 48, 4600, 5000), 300, 0.02 * 300);
    assert_int_equal(site_pits(sunk, 48, 48), 0);
    float *slow = take(&large, methods[1], "7200 7500 600 2000", "terrain");
    assert_near(at(slow, LARGER, 7200, 7500), 600, 0.02 * 600);
    assert_int_equal(site_pits(slow, LARGER, LARGER), 0);
    oro_free(held);
    oro_free(sunk);
    oro_free(slow);
}

TEST(peaks_alone_are_met)
{
    need_device();
    struct site site = level_site(48), peaks = level_site(48);
    float *free = take(&site, "", "", "terrain");
    site_raster(&peaks, "found", free);
    site_node(&peaks, "ridges", "divide_tree",
              LINK("terrain", "found.terrain") IN("prominence", "50") IN("simplify", "0") IN("smooth", "0"));
    site_node(&peaks, "alone", "network_filter",
              LINK("network", "ridges.network") IN("kind", "peaks") IN("isolation", "700"));
    site_node(&peaks, "range", "stream_power",
              LINK("terrain", "start.terrain") LINK("constraints", "alone.network") IN("seed", "3"));
    float *again = site_take(&peaks, "range", "terrain");
    double count = harness_figure(&h, "range", "constraints");
    assert_true(count >= 2 && count < 20);
    assert_true(harness_figure(&h, "range", "constraints_unmet") == 0);
    assert_true(site_difference(free, again, 48 * 48) > 100); /* another range, with the same summits */
    oro_free(free);
    oro_free(again);
}

/* ---- Constraints that cannot be met ---- */

TEST(neighbours_that_contradict_are_told)
{
    need_device();
    struct site site = level_site(48);
    for (int method = 0; method < 2; method++) {
        float *z = take(&site, methods[method], "4800 4800 2000 2000; 5000 4800 100 2000", "terrain");
        assert_non_null(strstr(h.warnings, "constraint"));
        assert_non_null(strstr(h.warnings, "2000"));
        assert_true(harness_figure(&h, "range", "constraints_unmet") > 0);
        oro_free(z);
    }
}

/* Where the ground answers late, low ground is met later, or it is said what helps. */
TEST(years_are_said_where_they_are_why)
{
    need_device();
    struct site site = level_site(48);
    float *z = take(&site, IN("step", "20000") IN("iterations", "600") IN("levels", "0"),
                    "4460 5620 900 2000", "terrain");
    assert_near(at(z, 48, 4460, 5620), 900, 0.02 * 900);
    oro_free(z);
    z = take(&site, IN("step", "5000") IN("iterations", "60") IN("levels", "0"), "4460 5620 900 2000",
             "terrain");
    assert_non_null(strstr(h.warnings, "'step' 0"));
    oro_free(z);
}

/* A flank that is raised a little; the crest beside it is higher. */
TEST(a_flank_is_no_summit)
{
    need_device();
    struct site site = level_site(48);
    float *free = take(&site, "", "", "terrain");
    assert_null(strstr(h.warnings, "summit"));
    int top = 0, side;
    for (int i = 0; i < 48 * 48; i++)
        top = free[i] > free[top] ? i : top;
    side = top + 4 * 48;
    char text[128];
    double x = (side % 48 + 0.5) * CELL, y = (double)(side / 48) * CELL + 0.5 * CELL;
    snprintf(text, sizeof text, "%g %g %g 2400", x, y, 1.05 * at(free, 48, x, y));
    float *z = take(&site, "", text, "terrain");
    snprintf(text, sizeof text, "the constraint at (%g, %g)", x, y);
    if (!strstr(h.warnings, text))
        fail_msg("%s: %s", text, h.warnings);
    assert_non_null(strstr(h.warnings, "is no summit: ground beside it reaches"));
    assert_true(harness_figure(&h, "range", "constraints_unmet") == 0);
    oro_free(free);
    oro_free(z);
}

/* By their places in the world, also where the ground is a part of it. */
TEST(those_that_are_told_are_named_by_where_they_are)
{
    need_device();
    struct site site = level_site(48);
    site_node(&site, "part", "crop",
              LINK("terrain", "start.terrain") IN("method", "metres") IN("x", "2000") IN("y", "1000")
                  IN("width", "6400") IN("height", "6400"));
    site_node(&site, "range", "stream_power",
              LINK("terrain", "part.terrain") IN("iterations", "20")
                  IN("constraints", "2100 4000 300 1000; 4800 4800 2000 2000; 5000 4800 100 2000"));
    float *z = site_take(&site, "range", "terrain");
    assert_non_null(strstr(h.warnings, "(2100, 4000) is left out"));
    assert_non_null(strstr(h.warnings, "constraints at (4800, 4800) and (5000, 4800)"));
    assert_non_null(strstr(h.warnings, "constraint at (4800, 4800): "));
    assert_non_null(strstr(h.warnings, "the one at (5000, 4800)"));
    oro_free(z);
}

TEST(what_lies_in_an_outlet_is_left_out)
{
    need_device();
    struct site site = level_site(48), with_sea = level_site(48);
    float *free = take(&site, "", "", "terrain"), *z = take(&site, "", "100 5000 300 1000", "terrain");
    assert_non_null(strstr(h.warnings, "outlet"));
    assert_memory_equal(free, z, 48 * 48 * sizeof *z);
    oro_free(z);
    float *sea = site_uniform(48, 48, 0);
    for (int i = 0; i < 48 * 48; i++)
        sea[i] = i % 48 < 12 ? 1 : 0;
    site_raster(&with_sea, "sea", sea);
    z = take(&with_sea, LINK("sea", "sea.terrain"), "1500 5000 300 1000; 6000 5000 1000 1500", "terrain");
    assert_non_null(strstr(h.warnings, "(1500, 5000)"));
    assert_null(strstr(h.warnings, "(6000, 5000)"));
    assert_near(at(z, 48, 1500, 5000), 0, 0);
    assert_near(at(z, 48, 6000, 5000), 1000, 10);
    oro_free(z);
    z = take(&site, IN("borders", "walls") IN("sea", "1"), "1500 5000 300 1000", "terrain");
    assert_near(at(z, 48, 1500, 5000), 0, 0);
    oro_free(z);
    z = take(&site, IN("basin_points", "5000 5000 150 1000"), "5000 5200 600 1000", "terrain");
    assert_non_null(strstr(h.warnings, "(5000, 5200) is left out"));
    assert_near(at(z, 48, 5000, 5200), 150, 0);
    oro_free(z);
    z = take(&site, IN("basin_points", "5000 5000 150 1000"), "100 5000 300 1000", "terrain");
    assert_non_null(strstr(h.warnings, "(100, 5000) is left out"));
    oro_free(z);
    oro_free(sea);
    oro_free(free);
}

/* Networks may have vertices that no line names, though no node of ours makes any. */
static bool give_lone_vertices(struct oro_eval *e, const void *params)
{
    (void)params;
    struct oro_error err = {0};
    struct oro_network_builder builder = {0};
    for (int i = 0; i < 2; i++) {
        struct oro_vertex v = oro_vertex_at(i ? 6300.0F : 3300.0F, 4900);
        v.elevation = i ? 1900 : 1500;
        v.width = 1800;
        oro_network_add_vertex(&builder, v);
    }
    return oro_eval_give_network(e, "network", oro_network_finish(&builder, &err), &err);
}

static const struct oro_input no_inputs[] = {{0}};
static const struct oro_output lone_outputs[] = {ORO_OUT_NETWORK("network", .doc = "Two points"), {0}};
static const struct oro_node_type lone_vertices = {.id = "lone_vertices",
                                                   .version = 1,
                                                   .category = "network",
                                                   .doc = "Vertices without lines.",
                                                   .inputs = no_inputs,
                                                   .outputs = lone_outputs,
                                                   .eval = give_lone_vertices};

static int by_id(const void *a, const void *b)
{
    return strcmp((*(const struct oro_node_type *const *)a)->id,
                  (*(const struct oro_node_type *const *)b)->id);
}

TEST(vertices_without_lines_are_met)
{
    need_device();
    const struct oro_registry *before = h.registry;
    const struct oro_node_type **types = oro_alloc(before->count + 1, sizeof(void *));
    struct oro_registry with = *before;
    memcpy(types, before->types, before->count * sizeof(void *));
    types[with.count++] = &lone_vertices;
    qsort(types, with.count, sizeof(void *), by_id);
    with.types = types;
    h.registry = &with;
    struct site site = level_site(48);
    site_node(&site, "lone", "lone_vertices", "%s", "");
    site_node(&site, "range", "stream_power",
              LINK("terrain", "start.terrain") LINK("constraints", "lone.network"));
    float *z = site_take(&site, "range", "terrain");
    assert_true(harness_figure(&h, "range", "constraints") == 2);
    assert_near(at(z, 48, 3300, 4900), 1500, 15);
    assert_near(at(z, 48, 6300, 4900), 1900, 19);
    h.registry = before;
    oro_free(types);
    oro_free(z);
}

static void expect_error(const char *constraints, const char *says)
{
    static char text[SITE_TEXT_MAX + 512];
    struct site site = level_site(48);
    add_range(&site, "", constraints);
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"1000\" resolution=\"16\"", "%s"), site.nodes);
    struct harness_raster raster = {0};
    assert_false(harness_try(&h, text, "range", "terrain", &raster));
    if (!strstr(h.err.text, says))
        fail_msg("'%s' does not say '%s'", h.err.text, says);
}

TEST(wrong_constraints_are_refused)
{
    need_device();
    expect_error("99999 5000 300", "outside");
    expect_error("-10 5000 300", "outside");
    expect_error("5000 5000", "elevation");
    expect_error("5000 5000 high", "");
    expect_error("5000", "");
}

/* ---- How it is done ---- */

/* Ground where the controllers left off last time. */
TEST(a_correction_is_a_start)
{
    need_device();
    static const char point[] = "4800 4800 1700 2000";
    struct site site = level_site(48);
    float *free = take(&site, "", "", "terrain"), *first = take(&site, "", point, "correction");
    double asked = 1700, before = at(free, 48, 4800, 4800);
    site_raster(&site, "before", first);
    float *again = take(&site, LINK("correction", "before.terrain"), point, "terrain");
    double steps = harness_figure(&h, "range", "steps");
    float *alone = take(&site, LINK("correction", "before.terrain"), "", "terrain");
    assert_near(at(again, 48, 4800, 4800), asked, 0.01 * asked);
    /* Without constraints it is uplift that is added. */
    assert_true(at(alone, 48, 4800, 4800) < 0.7 * before + 0.3 * asked);
    assert_true(steps < 200);
    oro_free(free);
    oro_free(first);
    oro_free(again);
    oro_free(alone);
}

TEST(a_correction_is_added_at_every_level)
{
    need_device();
    struct site site = level_site(SIDE);
    float *more = site_uniform(SIDE, SIDE, 0.0005),
          *plain = take(&site, IN("uplift", "0.001"), "", "terrain");
    site_raster(&site, "more", more);
    float *sum = take(&site, IN("uplift", "0.0005") LINK("correction", "more.terrain"), "", "terrain");
    double one = site_sum(plain, SIDE * SIDE), other = site_sum(sum, SIDE * SIDE);
    assert_near(one, other, 0.02 * one);
    oro_free(more);
    oro_free(plain);
    oro_free(sum);
}

TEST(linked_constraints_do_the_same)
{
    need_device();
    static const char points[] = "9600 9600 1500 3000; 5000 12000 900 2000";
    struct site site = level_site(SIDE), linked = level_site(SIDE);
    float *one = take(&site, "", points, "terrain");
    site_node(&linked, "points", "network_filter", IN("network", "%s"), points);
    site_node(&linked, "range", "stream_power",
              LINK("terrain", "start.terrain") LINK("constraints", "points.network"));
    float *other = site_take(&linked, "range", "terrain");
    assert_memory_equal(one, other, SIDE * SIDE * sizeof *one);
    oro_free(one);
    oro_free(other);
}

TEST(any_number_of_threads_gives_the_same_bits)
{
    need_device();
    struct site site = level_site(48);
    static const char places[] = "4600 5000 300 1200; 3000 3000 2000 1500; 3900 3000 1500 1500";
    float *one = NULL;
    for (int threads = 1; threads < 5; threads += 3) {
        oro_parallel_force(threads);
        float *z = take(&site, SUBSIDE, places, "terrain");
        if (one)
            assert_memory_equal(one, z, 48 * 48 * sizeof *z);
        oro_free(one);
        one = z;
        harness_forget(&h);
    }
    oro_parallel_force(0);
    oro_free(one);
}

TEST(kernels_meet_a_row_and_a_valley)
{
    need_device();
    struct site site = level_site(48);
    h.kernels_only = true;
    meet_row(&(struct row){48, 0.9, 1.15, 1.5, 0.075, 0}, "", true);
    float *sunk = take(&site, SUBSIDE, valley, "terrain");
    h.kernels_only = false;
    assert_near(at(sunk, 48, 4600, 5000), 300, 0.02 * 300);
    oro_free(sunk);
}

TEST(kernels_agree)
{
    need_device();
    struct site site = level_site(48);
    float *one = take(&site, "", "4800 4800 1700 2000", "terrain");
    h.kernels_only = true;
    float *other = take(&site, "", "4800 4800 1700 2000", "terrain");
    h.kernels_only = false;
    assert_near(site_sum(one, 48 * 48), site_sum(other, 48 * 48), 0.02 * site_sum(one, 48 * 48));
    assert_near(at(other, 48, 4800, 4800), 1700, 17);
    oro_free(one);
    oro_free(other);
}

TEST_GROUP(open_harness, close_harness);
