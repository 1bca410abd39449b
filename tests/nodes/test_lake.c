/* Lakes as a node: its outputs agree with each other, and compose with draining. hydrology/test_lakes.c has
 * the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/network/network.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { CELL = 20, WIDTH = 90, HEIGHT = 70, CELLS = WIDTH * HEIGHT };

#define POINTS IN("points", "400 400; 1200 500; 700 1000; 1500 1100") IN("radius", "120")

static struct site site_of(const float *ground, const char *inputs)
{
    struct site site = site_start(&h, WIDTH, HEIGHT, CELL);
    site_raster(&site, "start", ground);
    site_node(&site, "n", "lake", LINK("terrain", "start.terrain") "%s", inputs);
    return site;
}

static const char *document(const struct site *site)
{
    static char text[SITE_TEXT_MAX + 512];
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"%d\" resolution=\"16\"", "%s"), CELL * WIDTH,
             site->nodes);
    return text;
}

static int largest(const float *values)
{
    float most = 0;
    for (int i = 0; i < CELLS; i++)
        most = fmaxf(most, values[i]);
    return (int)most;
}

TEST(outputs_agree)
{
    need_device();
    float *ground = site_rough(WIDTH, HEIGHT, 20, 300, 100, 1);
    struct site site = site_of(ground, POINTS);
    float *terrain = site_take(&site, "n", "terrain"), *level = site_take(&site, "n", "level");
    float *depth = site_take(&site, "n", "depth"), *id = site_take(&site, "n", "id");
    float *mask = site_take(&site, "n", "mask"), of_lake[8] = {0};
    struct harness_raster raster = harness_run(&h, document(&site), "n", "outlet");
    const struct oro_network *outlets = oro_network_of(raster.data, raster.bytes, &h.err);
    assert_non_null(outlets);
    int count = largest(id);
    double wet = 0, water = 0;
    assert_true(count >= 3 && count <= 4);
    for (int i = 0; i < CELLS; i++) {
        int n = (int)id[i];
        wet += mask[i];
        water += (double)depth[i];
        assert_true(mask[i] == (n ? 1 : 0) && depth[i] == level[i] - terrain[i]);
        assert_true(n ? depth[i] >= 0 : depth[i] == 0);
        assert_true(!n || of_lake[n] == 0 || of_lake[n] == level[i]);
        if (n)
            of_lake[n] = level[i];
    }
    assert_int_equal(outlets->vertex_count, count);
    assert_int_equal(outlets->line_count, count);
    for (int i = 0; i < count; i++) {
        const struct oro_vertex *v = &oro_network_vertices(outlets)[i];
        int cell = (int)(v->y / CELL) * WIDTH + (int)(v->x / CELL);
        bool shore = false;
        for (int k = 0; k < 9; k++)
            shore |= (int)id[cell + (k / 3 - 1) * WIDTH + k % 3 - 1] == i + 1;
        assert_true(shore && id[cell] == 0 && v->elevation == terrain[cell]);
        assert_true(v->elevation <= of_lake[i + 1] && v->kind == ORO_VERTEX_OUTLET);
    }
    assert_near(harness_figure(&h, "n", "lakes"), count, 0);
    assert_near(harness_figure(&h, "n", "lake_area"), wet * CELL * CELL, 1e-6 * wet * CELL * CELL);
    assert_near(harness_figure(&h, "n", "water_volume"), water * CELL * CELL, 1e-4 * water * CELL * CELL);
    assert_string_equal(h.warnings, "");
    harness_free(&raster);
    oro_free(ground);
    oro_free(terrain);
    oro_free(level);
    oro_free(depth);
    oro_free(id);
    oro_free(mask);
}

/* Filling the surface changes nothing; a breach that is told of the lakes changes nothing; before the lakes,
 * it leaves less to do. */
TEST(lakes_and_breaching_agree)
{
    need_device();
    float *ground = site_rough(WIDTH, HEIGHT, 20, 300, 100, 1);
    for (int breached = 0; breached < 2; breached++) {
        struct site site = site_start(&h, WIDTH, HEIGHT, CELL);
        site_raster(&site, "start", ground);
        site_node(&site, "b", "breach", LINK("terrain", "start.terrain"));
        site_node(&site, "n", "lake", LINK("terrain", "%s.terrain") POINTS IN("bank", "90"),
                  breached ? "b" : "start");
        site_node(&site, "f", "fill", LINK("terrain", "n.level"));
        site_node(&site, "again", "breach", LINK("terrain", "n.terrain") LINK("sea", "n.mask"));
        float *terrain = site_take(&site, "n", "terrain"), *level = site_take(&site, "n", "level");
        float *filled = site_take(&site, "f", "terrain"), *again = site_take(&site, "again", "terrain");
        float *before = site_take(&site, breached ? "b" : "start", "terrain"),
              *id = site_take(&site, "n", "id");
        assert_true(largest(id) >= 3);
        assert_memory_equal(filled, level, CELLS * sizeof *level);
        assert_memory_equal(again, terrain, CELLS * sizeof *terrain);
        int changed = 0;
        for (int i = 0; i < CELLS; i++)
            changed += id[i] == 0 && terrain[i] != before[i];
        assert_true(breached ? changed < 5 : changed > 50);
        oro_free(terrain);
        oro_free(level);
        oro_free(filled);
        oro_free(again);
        oro_free(before);
        oro_free(id);
    }
    oro_free(ground);
}

TEST(without_lakes_nothing_changes)
{
    need_device();
    static const char *const inputs[] = {"", POINTS IN("mask", "0"), POINTS IN("sea", "1")};
    float *ground = site_rough(WIDTH, HEIGHT, 20, 300, 100, 1);
    for (int i = 0; i < 3; i++) {
        struct site site = site_of(ground, inputs[i]);
        float *terrain = site_take(&site, "n", "terrain"), *level = site_take(&site, "n", "level");
        assert_memory_equal(terrain, ground, CELLS * sizeof *ground);
        assert_memory_equal(level, ground, CELLS * sizeof *ground);
        oro_free(terrain);
        oro_free(level);
    }
    oro_free(ground);
}

/* Numbers from a map are held to the input's range, and are read at the lake's place. */
TEST(maps_are_read_where_lakes_are)
{
    need_device();
    float *ground = site_uniform(WIDTH, HEIGHT, 0), *level = site_uniform(WIDTH, HEIGHT, 0);
    float *depth = site_uniform(WIDTH, HEIGHT, -50), *five = site_uniform(WIDTH, HEIGHT, 5);
    for (int i = 0; i < CELLS; i++) {
        ground[i] = 100 + (float)(i % WIDTH) * 0.02f;
        level[i] = i % WIDTH < WIDTH / 2 ? -7 : 0;
        depth[i] = i % WIDTH < WIDTH / 2 ? 30 : depth[i];
    }
    struct site site = site_start(&h, WIDTH, HEIGHT, CELL);
    site_raster(&site, "start", ground);
    site_raster(&site, "level", level);
    site_raster(&site, "depth", depth);
    site_raster(&site, "five", five);
    site_node(&site, "n", "lake",
              LINK("terrain", "start.terrain") LINK("level", "level.terrain") LINK("depth", "depth.terrain")
                  LINK("mask", "five.terrain") IN("points", "500 700; 1300 700 101") IN("radius", "120")
                      IN("shore", "0"));
    float *surface = site_take(&site, "n", "level"), *water = site_take(&site, "n", "depth");
    int west = 35 * WIDTH + 25, east = 35 * WIDTH + 65;
    assert_true(surface[west] < 94 && surface[west] > 92.5f && surface[east] == 101);
    assert_near(water[west], 30, 1e-4);
    assert_near(water[east], 0,
                0.31); /* the ground is lower than the water that was asked for; nothing is dug */
    oro_free(ground);
    oro_free(level);
    oro_free(depth);
    oro_free(five);
    oro_free(surface);
    oro_free(water);
}

TEST(points_that_make_no_lake_are_told)
{
    need_device();
    float *ground = site_rough(WIDTH, HEIGHT, 20, 300, 100, 1), *sea = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < CELLS; i++)
        sea[i] = i % WIDTH < 10;
    struct site site = site_start(&h, WIDTH, HEIGHT, CELL);
    site_raster(&site, "start", ground);
    site_raster(&site, "sea", sea);
    site_node(&site, "n", "lake",
              LINK("terrain", "start.terrain") LINK("sea", "sea.terrain")
                  IN("points", "100 300; 5000 5000; 900 5; 300 300, 400 400; 900 700"));
    float *id = site_take(&site, "n", "id");
    assert_int_equal(largest(id), 1);
    assert_non_null(strstr(h.warnings, "point 1 at 100 300 makes no lake: it lies in the sea"));
    assert_non_null(strstr(h.warnings, "point 2 at 5000 5000 lies outside the terrain"));
    assert_non_null(strstr(h.warnings, "point 3 at 900 5 makes no lake"));
    assert_non_null(strstr(h.warnings, "1 line in 'points' makes no lakes"));
    assert_null(strstr(h.warnings, "point 5"));
    oro_free(id);
    oro_free(ground);
    oro_free(sea);
}

/* On a part that was cut out, points lie where they lie in the world, and so do outlets. */
TEST(lakes_lie_in_the_world)
{
    need_device();
    float *ground = site_rough(WIDTH, HEIGHT, 20, 300, 100, 1);
    struct site site = site_start(&h, WIDTH, HEIGHT, CELL);
    site_raster(&site, "start", ground);
    site_node(&site, "c", "crop", LINK("terrain", "start.terrain") IN("x", "600") IN("y", "200"));
    site_node(&site, "n", "lake",
              LINK("terrain", "c.terrain") IN("points", "1200 700; 500 700") IN("radius", "100"));
    struct harness_raster id = harness_run(&h, document(&site), "n", "id");
    assert_non_null(strstr(h.warnings, "point 2 at 500 700 lies outside"));
    struct harness_raster out = harness_run(&h, document(&site), "n", "outlet");
    int wet = 0;
    for (int y = 20; y <= 30; y++)
        for (int x = 25; x <= 35; x++)
            wet += id.data[y * id.grid.width + x] == 1;
    assert_true(wet > 10);
    const struct oro_vertex *v = oro_network_vertices(oro_network_of(out.data, out.bytes, &h.err));
    int shore = 0, cell = (int)((v->y - 200) / CELL) * id.grid.width + (int)((v->x - 600) / CELL);
    for (int k = 0; k < 9; k++)
        shore += id.data[cell + (k / 3 - 1) * id.grid.width + k % 3 - 1] == 1;
    assert_true(shore > 0 && id.data[cell] == 0);
    harness_free(&id);
    harness_free(&out);
    oro_free(ground);
}

TEST_GROUP(open_harness, close_harness);
