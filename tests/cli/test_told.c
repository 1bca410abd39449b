/* What files do not tell is told: the same words by convert, measure and render, again from the cache, in
 * sidecars. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "support.h"
#include "tests/support/test.h"

enum { SIDE = 24 };

static void put_levels(const char *name, bool big_endian)
{
    unsigned char bytes[SIDE * SIDE * 2];
    for (int i = 0; i < SIDE * SIDE; i++) {
        unsigned level = (unsigned)(20000 + 300 * (i % SIDE) + 437 * (i / SIDE));
        bytes[2 * i + !big_endian] = (unsigned char)(level >> 8);
        bytes[2 * i + big_endian] = (unsigned char)level;
    }
    assert_true(oro_file_write(name, bytes, sizeof bytes, NULL));
}

/* A grid of cells of 30 m, with a hole and a void at its border, neither of which it declares. */
static void put_grid(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "ncols 24\nnrows 24\nxllcorner 500000\nyllcorner 5200000\ncellsize 30\n");
    for (int i = 0; i < SIDE * SIDE; i++)
        fprintf(file, "%d%c", i == 0 || i == 12 * SIDE + 12 ? -9999 : 500 + i % SIDE + i / SIDE,
                i % SIDE == SIDE - 1 ? '\n' : ' ');
    assert_int_equal(fclose(file), 0);
}

static void put_graph(const char *world)
{
    char text[1000];
    snprintf(text, sizeof text,
             HEAD "<world resolution=\"24\" %s/>\n<node id=\"dem\" type=\"import\">"
                  "<in name=\"file\" value=\"in.asc\"/></node>\n"
                  "<node id=\"soft\" type=\"blur\"><in name=\"field\" from=\"dem.terrain\"/></node>\n" TAIL,
             world);
    write_file("graph.oro", text);
}

static const char voids[] = "'in.asc' has 2 cells of -9999, which it does not declare as no height";
static const char cells[] = "cells of 30 m on the ground";

TEST_WITH(the_same_words_everywhere, make_folder, remove_folder)
{
    put_grid("in.asc");
    put_graph("from=\"dem\"");
    static const char *const commands[] = {"convert in.asc out.r32", "convert in.asc out.tif",
                                           "measure in.asc", "measure in.asc --json",
                                           "render graph.oro --output soft.field -o soft.r32"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        expect(DONE, "$OROGRAPH %s 2>&1", commands[i]);
        says(voids);
        says(cells);
        says(
            "'in.asc' has no height in 2 of 576 cells: 1 within its ground, interpolated; 1 at its border or "
            "beyond it, no ground");
    }
    expect(DONE, "cat out.r32.json");
    says(voids);
    says("\"assumed\": [\"unit\"]");
    expect(DONE, "cat soft.r32.json");
    says(voids);
    says(cells);
    says("\"cell_size\": 30,");
}

TEST_WITH(a_result_of_the_cache_says_it_again, make_folder, remove_folder)
{
    put_grid("in.asc");
    put_graph("from=\"dem\"");
    for (int i = 0; i < 3; i++) {
        expect(DONE, "$OROGRAPH render graph.oro --output soft.field -o soft%d.r32 2>&1", i);
        assert_int_equal(count(voids), 1);
        assert_int_equal(count(cells), 1);
        expect(DONE, "cat soft%d.r32.json", i);
        assert_int_equal(count(voids), 1);
    }
    expect(DONE, "cmp soft0.r32.json soft2.r32.json");
}

/* A world of its own size spreads the file, and says by how much. */
TEST_WITH(a_world_of_another_size, make_folder, remove_folder)
{
    put_grid("in.asc");
    put_graph("extent=\"7200\"");
    expect(DONE, "$OROGRAPH render graph.oro --output soft.field -o soft.r32 2>&1");
    says("'in.asc' has cells of 30 m and is spread from 720 m over the world's 7200 m");
    put_graph("extent=\"720\"");
    expect(DONE, "$OROGRAPH render graph.oro --output soft.field -o soft.r32 2>&1");
    says_not("is spread");
}

/* --low and --high are of OUT, --in-low and --in-high of IN. */
TEST_WITH(two_ranges, make_folder, remove_folder)
{
    size_t length;
    put_levels("in.r16", false);
    expect(DONE, "$OROGRAPH convert in.r16 a.r32 --in-low 0 --in-high 655.35 2>&1");
    says_not("does not say how high");
    float *heights = read_floats("a.r32", &length);
    assert_true(heights[0] > 199.99f && heights[0] < 200.01f);
    free(heights);
    expect(DONE, "$OROGRAPH convert in.r16 b.r16 --in-low 0 --in-high 655.35 --low 100 --high 755.35 2>&1");
    expect(DONE, "$OROGRAPH convert b.r16 c.r32");
    heights = read_floats("c.r32", &length);
    assert_true(heights[0] > 199.98f && heights[0] < 200.02f);
    free(heights);
    expect(DONE, "$OROGRAPH convert in.r16 d.r32 --low 0 --high 655.35 2>&1"); /* nobody tells that of IN */
    says("warning: 'in.r16' does not say how high it is: its levels 0..65535 are taken to span 0..655.35 m");
    says_not("left aside");
    expect(DONE, "cmp a.r32 d.r32");
    expect(DONE, "$OROGRAPH convert a.r32 e.pfm --low 0 --high 655.35 2>&1");
    says("'e.pfm' holds heights, not levels: --low and --high are left aside");
    expect(USAGE, "$OROGRAPH convert in.r16 d.r32 --in-low 0 2>&1");
    says("--in-low and --in-high go together");
    expect(USAGE, "$OROGRAPH convert in.r16 d.r32 --in-low 5 --in-high 5 2>&1");
}

TEST_WITH(remedies_work, make_folder, remove_folder)
{
    put_levels("in.r16", true);
    expect(DONE, "$OROGRAPH convert in.r16 out.r32 --low 0 --high 1000 2>&1");
    says("times smoother with the bytes of its numbers in the other order");
    expect(DONE, "$OROGRAPH convert in.r16 out.r32 --low 0 --high 1000 --in-big-endian 2>&1");
    says_not("smoother");
    expect(DONE, "$OROGRAPH measure in.r16 --low 0 --high 1000 --big-endian 2>&1");
    says_not("smoother");
    expect(DONE, "$OROGRAPH convert in.r16 out.r32 --unit ft --in-low 0 --in-high 1000 2>&1");
    says("'in.r16' holds levels, and low and high are in metres: the unit is left aside");
    write_file("levels.oro", HEAD "<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"in.r16\"/>"
                                  "<in name=\"high\" value=\"900\"/></node>\n" TAIL);
    expect(DONE, "$OROGRAPH render levels.oro --output dem.terrain -o out.r32 2>&1");
    says_not("left aside");
    put_grid("in.asc");
    expect(DONE, "$OROGRAPH measure in.asc --nodata -5"); /* then -9999 is a height */
    says("range       -9999.00..");
    expect(DONE, "$OROGRAPH convert in.asc out.r32 --unit ft 2>&1 && $OROGRAPH measure out.r32");
    says("range       152");
    expect(USAGE, "$OROGRAPH convert in.asc out.r32 --unit fathom 2>&1");
    says("--unit 0.3048");
    expect(DONE, "$OROGRAPH convert in.asc out.r32 --cell 12 2>&1");
    says_not("on the ground");
}

TEST_GROUP(NULL, NULL);
