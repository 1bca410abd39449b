/* A part that is cut out keeps its bits and its place, and rasters that meet it later are taken from that
 * place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { CELL = 20, WIDTH = 60, HEIGHT = 40 };

/* Raster "start", and the world over the same ground at 30 cells. */
static struct site site_of(const float *data)
{
    struct site site = site_start(&h, WIDTH, HEIGHT, CELL);
    site_raster(&site, "start", data);
    return site;
}

static const char *document(const struct site *site)
{
    static char text[SITE_TEXT_MAX + 512];
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"%d\" resolution=\"30\" aspect=\"0.66666666666666663\"", "%s"),
             CELL * WIDTH, site->nodes);
    return text;
}

static struct harness_raster take(const struct site *site, const char *node, const char *output)
{
    return harness_run(&h, document(site), node, output);
}

#define PART                                                                                                 \
    LINK("terrain", "start.terrain") IN("x", "200") IN("y", "100") IN("width", "300") IN("height", "240")

TEST(cells_keep_their_bits_and_their_place)
{
    need_device();
    static const struct {
        const char *inputs;
        int x, y, width, height;
    } crops[] = {
        {PART, 10, 5, 15, 12},
        {LINK("terrain", "start.terrain"), 0, 0, WIDTH, HEIGHT},
        {LINK("terrain", "start.terrain") IN("x", "211") IN("y", "89") IN("width", "16"), 11, 4, 1, 36},
        {LINK("terrain", "start.terrain") IN("method", "fractions") IN("x", "0.5") IN("y", "0.25")
             IN("height", "0.5"),
         30, 10, 30, 20},
        {LINK("terrain", "start.terrain") IN("x", "1190") IN("width", "1"), 59, 0, 1, HEIGHT},
    };
    float *rough = site_rough(WIDTH, HEIGHT, 8, 300, 0, 1);
    for (size_t i = 0; i < sizeof crops / sizeof crops[0]; i++) {
        struct site site = site_of(rough);
        site_node(&site, "c", "crop", "%s", crops[i].inputs);
        struct harness_raster part = take(&site, "c", "terrain");
        assert_int_equal(part.grid.width, crops[i].width);
        assert_int_equal(part.grid.height, crops[i].height);
        assert_near(part.grid.cell, CELL, 1e-9);
        assert_near(part.grid.x, CELL * crops[i].x, 1e-9);
        assert_near(part.grid.y, CELL * crops[i].y, 1e-9);
        for (int y = 0; y < crops[i].height; y++)
            assert_memory_equal(&part.data[y * crops[i].width], &rough[(crops[i].y + y) * WIDTH + crops[i].x],
                                (size_t)crops[i].width * sizeof *rough);
        assert_string_equal(h.warnings, "");
        harness_free(&part);
    }
    oro_free(rough);
}

/* Metres are those of the world, even in a part that was cut out before; fractions are of the part. */
TEST(a_part_of_a_part_lies_in_the_world)
{
    need_device();
    float *rough = site_rough(WIDTH, HEIGHT, 8, 300, 0, 1);
    struct site site = site_of(rough);
    site_node(&site, "c", "crop", PART);
    site_node(&site, "m", "crop", LINK("terrain", "c.terrain") IN("x", "260") IN("y", "200"));
    site_node(&site, "f", "crop",
              LINK("terrain", "c.terrain") IN("method", "fractions") IN("x", "0.2") IN("y", "0.5"));
    static const struct {
        const char *node;
        int x, y;
    } parts[] = {{"m", 13, 10}, {"f", 13, 11}};
    for (int i = 0; i < 2; i++) {
        struct harness_raster part = take(&site, parts[i].node, "terrain");
        assert_near(part.grid.x, CELL * parts[i].x, 1e-9);
        assert_int_equal(part.grid.width, 25 - parts[i].x);
        assert_int_equal(part.grid.height, 17 - parts[i].y);
        assert_true(part.data[0] == rough[parts[i].y * WIDTH + parts[i].x]);
        harness_free(&part);
    }
    oro_free(rough);
}

TEST(rectangles_beyond_are_cut_off_or_refused)
{
    need_device();
    float *rough = site_rough(WIDTH, HEIGHT, 8, 300, 0, 1);
    struct site site = site_of(rough);
    site_node(&site, "c", "crop",
              LINK("terrain", "start.terrain") IN("x", "-100") IN("width", "300") IN("height", "5000"));
    struct harness_raster part = take(&site, "c", "terrain");
    assert_int_equal(part.grid.width, 10);
    assert_int_equal(part.grid.height, HEIGHT);
    assert_non_null(strstr(h.warnings, "is cut off there: it is 200 x 800 m"));
    harness_free(&part);
    static const char *const outside[] = {
        "x\" value=\"1200", "x\" value=\"-500\"/><in name=\"width\" value=\"500", "y\" value=\"900"};
    for (int i = 0; i < 3; i++) {
        site = site_of(rough);
        site_node(&site, "c", "crop", LINK("terrain", "start.terrain") "<in name=\"%s\"/>", outside[i]);
        assert_false(harness_try(&h, document(&site), "c", "terrain", &part));
        assert_non_null(
            strstr(h.err.text, "lies outside the terrain, which is 0 to 1200 m east and 0 to 800"));
        assert_non_null(strstr(h.err.text, i == 2 ? "change 'y'" : "change 'x'"));
    }
    oro_free(rough);
}

/* A raster of the whole world, at another resolution or the same, is taken from the part's place: not
 * stretched over it. */
TEST(other_rasters_are_taken_from_their_place)
{
    need_device();
    float *zero = site_uniform(WIDTH, HEIGHT, 0), *plane = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = (float)(3 * (i % WIDTH) - 2 * (i / WIDTH));
    struct site site = site_of(zero);
    site_raster(&site, "plane", plane);
    site_node(&site, "c", "crop", PART);
    site_node(&site, "fine", "upsample", LINK("terrain", "c.terrain") IN("factor", "3"));
    site_node(&site, "coarse", "resize", LINK("terrain", "plane.terrain") IN("divide", "4"));
    static const char *const crops[] = {"c", "fine"}, *const rasters[] = {"plane", "coarse"};
    for (int c = 0; c < 2; c++)
        for (int r = 0; r < 2; r++) {
            struct site both = site;
            site_node(&both, "s", "combine", LINK("a", "%s.terrain") LINK("b", "%s.terrain"), crops[c],
                      rasters[r]);
            struct harness_raster sum = take(&both, "s", "field");
            int factor = c ? 3 : 1;
            assert_int_equal(sum.grid.width, 15 * factor);
            for (int i = 0; i < sum.grid.width * sum.grid.height; i++) {
                double x = 10 + (i % sum.grid.width + 0.5) / factor - 0.5;
                double y = 5 + (i / sum.grid.width + 0.5) / factor - 0.5;
                assert_near(sum.data[i], 3 * x - 2 * y, c == 0 && r == 0 ? 0 : 2e-4);
            }
            harness_free(&sum);
        }
    oro_free(zero);
    oro_free(plane);
}

/* A fine raster that meets the part of a coarse one is averaged over each of its cells. */
TEST(finer_rasters_are_averaged)
{
    need_device();
    float *rough = site_scatter(WIDTH, HEIGHT, 0, 100, 2);
    struct site site = site_of(rough);
    site_node(&site, "coarse", "constant", IN("value", "0"));
    site_node(&site, "c", "crop", LINK("terrain", "coarse.field") IN("x", "400") IN("y", "240"));
    site_node(&site, "t", "combine", LINK("a", "c.terrain") LINK("b", "start.terrain"));
    struct harness_raster sum = take(&site, "t", "field");
    assert_int_equal(sum.grid.width, 20);
    assert_int_equal(sum.grid.height, 14);
    for (int i = 0; i < 20 * 14; i++) {
        double mean = 0;
        for (int k = 0; k < 4; k++)
            mean += (double)rough[(12 + i / 20 * 2 + k / 2) * WIDTH + 20 + i % 20 * 2 + k % 2] / 4;
        assert_near(sum.data[i], mean, 1e-4);
    }
    harness_free(&sum);
    oro_free(rough);
}

/* Parts of the same size but of different ground differ; without common ground they cannot meet. */
TEST(parts_meet_where_they_overlap)
{
    need_device();
    float *rough = site_rough(WIDTH, HEIGHT, 8, 300, 0, 1);
    struct site site = site_of(rough);
    site_node(&site, "a", "crop", PART);
    site_node(&site, "b", "crop",
              LINK("terrain", "start.terrain") IN("x", "260") IN("y", "140") IN("width", "300")
                  IN("height", "240"));
    site_node(&site, "far", "crop", LINK("terrain", "start.terrain") IN("x", "700") IN("width", "300"));
    site_node(&site, "d", "combine", LINK("a", "a.terrain") LINK("b", "b.terrain") IN("method", "subtract"));
    site_node(&site, "none", "combine", LINK("a", "a.terrain") LINK("b", "far.terrain"));
    struct harness_raster difference = take(&site, "d", "field"), none;
    for (int y = 2; y < 12; y++)
        for (int x = 0; x < 15; x++) {
            const float *row = &rough[(y + 5) * WIDTH];
            /* Beyond the other part its edge goes on. */
            assert_near(difference.data[y * 15 + x], row[x + 10] - row[x < 3 ? 13 : x + 10], 0);
        }
    harness_free(&difference);
    assert_false(harness_try(&h, document(&site), "none", "field", &none));
    assert_non_null(strstr(h.err.text, "input 'b' covers other ground (700 to 1000 m east"));
    oro_free(rough);
}

/* Noise, networks and uplifts lie in the world, and go on through a part as if it were not cut out. */
TEST(the_world_goes_on)
{
    need_device();
    float *rough = site_rough(WIDTH, HEIGHT, 8, 300, 0, 1);
    struct site site = site_of(rough);
    site_node(&site, "c", "crop", PART);
    static const char *const types[] = {"noise", "network_rasterize"};
    static const char *const inputs[] = {
        LINK("like", "%s.terrain") IN("feature", "200"),
        LINK("like", "%s.terrain") IN("network", "0 0, 1200 800") IN("width", "100"),
    };
    for (int i = 0; i < 2; i++) {
        struct site both = site;
        char part[512], whole[512];
        snprintf(part, sizeof part, inputs[i], "c");
        snprintf(whole, sizeof whole, inputs[i], "start");
        site_node(&both, "p", types[i], "%s", part);
        site_node(&both, "w", types[i], "%s", whole);
        struct harness_raster p = take(&both, "p", "field"), w = take(&both, "w", "field");
        for (int y = 0; y < 12; y++)
            for (int x = 0; x < 15; x++)
                assert_near(p.data[y * 15 + x], w.data[(y + 5) * WIDTH + x + 10], 0.05);
        harness_free(&p);
        harness_free(&w);
    }
    /* A part as an uplift, over the world's 30 cells: the middle of each of four. */
    site_node(&site, "u", "uplift_transform", LINK("uplift", "c.terrain"));
    site_node(&site, "r", "uplift_rasterize", LINK("uplift", "u.uplift"));
    struct harness_raster r = take(&site, "r", "field");
    for (int y = 3; y < 8; y++)
        for (int x = 5; x < 12; x++) {
            double mean = 0;
            for (int k = 0; k < 4; k++)
                mean += (double)rough[(2 * y + k / 2) * WIDTH + 2 * x + k % 2] / 4;
            assert_near(r.data[y * r.grid.width + x], mean, 0.05);
        }
    harness_free(&r);
    oro_free(rough);
}

/* A raster brought to the size of a part covers the part. */
TEST(resize_follows_a_part)
{
    need_device();
    float *rough = site_rough(WIDTH, HEIGHT, 8, 300, 0, 1);
    struct site site = site_of(rough);
    site_node(&site, "c", "crop", PART);
    site_node(&site, "same", "resize", LINK("terrain", "start.terrain") LINK("like", "c.terrain"));
    site_node(&site, "third", "resize",
              LINK("terrain", "start.terrain") LINK("like", "c.terrain") IN("divide", "3"));
    site_node(&site, "b", "crop",
              LINK("terrain", "start.terrain") IN("x", "260") IN("y", "100") IN("width", "300")
                  IN("height", "240"));
    site_node(&site, "moved", "resize", LINK("terrain", "c.terrain") LINK("like", "b.terrain"));
    struct harness_raster moved = take(&site, "moved", "terrain");
    assert_near(moved.grid.x, 260, 1e-9);
    for (int i = 0; i < 12 * 15; i++)
        assert_true(i % 15 > 11 || moved.data[i] == rough[(i / 15 + 5) * WIDTH + i % 15 + 13]);
    harness_free(&moved);
    struct harness_raster c = take(&site, "c", "terrain"), same = take(&site, "same", "terrain");
    struct harness_raster third = take(&site, "third", "terrain");
    assert_near(same.grid.x, 200, 1e-9);
    assert_memory_equal(c.data, same.data, c.bytes);
    assert_int_equal(third.grid.width, 5);
    for (int i = 0; i < 5 * 4; i++) {
        double mean = 0;
        for (int k = 0; k < 9; k++)
            mean += (double)rough[(5 + i / 5 * 3 + k / 3) * WIDTH + 10 + i % 5 * 3 + k % 3] / 9;
        assert_near(third.data[i], mean, 1e-3);
    }
    harness_free(&c);
    harness_free(&same);
    harness_free(&third);
    oro_free(rough);
}

/* Which parts count as the same ground, however they were rounded to cells, and which do not. */
TEST(grounds_are_told_apart)
{
    const struct oro_grid whole = {.width = 97, .height = 61, .cell = 20};
    const struct oro_grid same[] = {
        {.width = 97, .height = 61, .cell = 20},
        {.width = 194, .height = 122, .cell = 10},
        {.width = 49, .height = 31, .cell = 97 * 20.0 / 49},
        {.width = 7, .height = 5, .cell = 97 * 20.0 / 7},
        {.width = 1, .height = 1, .cell = 97 * 20.0},
    };
    const struct oro_grid others[] = {
        {.width = 97, .height = 61, .cell = 20, .x = 20}, {.width = 97, .height = 61, .cell = 20, .y = -20},
        {.width = 96, .height = 61, .cell = 20},          {.width = 97, .height = 60, .cell = 20},
        {.width = 194, .height = 61, .cell = 10},         {.width = 192, .height = 122, .cell = 10},
        {.width = 97, .height = 61, .cell = 10},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        assert_true(oro_grid_same_ground(&whole, &same[i]) && oro_grid_same_ground(&same[i], &whole));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(oro_grid_same_ground(&whole, &others[i]) || oro_grid_same_ground(&others[i], &whole));
}

TEST_GROUP(open_harness, close_harness);
