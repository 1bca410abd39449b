/* `measure --against`, as a user meets it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/format.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

enum { DONE = 0, USAGE = 2, INVALID = 3 };
enum { SIZE = 64 };

static char folder[256]; /* the working folder of the tests */
static char output[1 << 16], errors[1 << 16];

static void read_text(const char *path, char *to, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    to[fread(to, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Runs `orograph` with these words of a shell, in the tests' folder. */
static void expect(int code, const char *arguments, const char *says)
{
    char command[1000];
    snprintf(command, sizeof command, "\"$OROGRAPH\" measure %s >stdout 2>stderr </dev/null", arguments);
    int status = system(command);
    read_text("stdout", output, sizeof output);
    read_text("stderr", errors, sizeof errors);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != code)
        fail_msg("'%s' ended with %d, not %d: %s%s", arguments, WEXITSTATUS(status), code, output, errors);
    if (!strstr(code == DONE ? output : errors, says))
        fail_msg("'%s' is missing in: %s%s", says, output, errors);
}

static void make_terrain(const char *path, int size, double shift, double cell)
{
    static float z[SIZE * SIZE];
    for (int i = 0; i < size * size; i++) {
        double x = i % size + shift, y = (double)(i / size);
        z[i] = (float)(400 - y + 150 * sin(x * 0.41 + y * 0.13) + 120 * cos(y * 0.37 - x * 0.09));
    }
    struct oro_heightfield field = {.width = size, .height = size, .data = z, .cell = cell, .metres = true};
    struct oro_error err = {0};
    if (!oro_heightfield_write(path, &field, NULL, &err))
        fail_msg("%s", err.text);
}

static void store(const char *path, const char *text)
{
    assert_true(oro_file_write(path, text, strlen(text), NULL));
}

TEST(terrains_are_compared)
{
    expect(DONE, "a.pfm --against a.pfm", "ridges      0.00 m apart");
    expect(DONE, "a.pfm --against b.pfm", "cells), ");
    expect(DONE, "a.pfm --against b.pfm --json --prominence 30 --river-area 8000", "\"against\": \"b.pfm\"");
    static const char *const keys[] = {"\"ridges\"", "\"rivers\"", "\"there\"", "\"back\"",
                                       "\"mean\"",   "\"length\"", "30.0",      "8000.0"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strstr(output, keys[i]))
            fail_msg("%s is missing in: %s", keys[i], output);
    expect(DONE, "a.pfm --against b.pfm --prominence 1e6", "ridges      none to compare");
    expect(DONE, "a.pfm --against b.pfm --river-area 1e15 --json", "\"mean\": null");
}

TEST(realism_is_compared)
{
    expect(DONE, "a.pfm --against a.pfm", "slopes' distance              0.000\n");
    expect(DONE, "a.pfm --against a.pfm", "openness' distance            0.000\n");
    expect(DONE, "a.pfm --against b.pfm --scale 60", "Realism (R 60 m");
    expect(DONE, "a.pfm --against a.pfm --json", "\"detail_correlation\": 1");
    static const char *const keys[] = {
        "\"realism\": {",           "\"scale\": 160",       "\"slope_distance\": 0", "\"file\": {",
        "\"against\": {",           "\"low_pass_rmse\": 0", "\"river_offset\"",      "\"rms_share\": [",
        "\"openness_distance\": 0", "\"class_spread\": 0",  "\"junction_distance\"", "\"diagonal_power\"",
        "\"patchiness\"",           "\"coherence\"",        "\"junctions\""};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strstr(output, keys[i]))
            fail_msg("%s is missing in: %s", keys[i], output);
    expect(DONE, "c.pfm --against c.pfm", "Realism: not known");
}

/* Levels of both files mean the same where neither says what they mean. */
TEST(a_range_serves_both)
{
    static unsigned short levels[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++)
        levels[i] = (unsigned short)(i * 37);
    assert_true(oro_file_write("p.r16", levels, sizeof levels, NULL));
    assert_true(oro_file_write("q.r16", levels, sizeof levels, NULL));
    expect(DONE, "p.r16 --against q.r16 --size 64x64 --low 0 --high 1000 --cell 20",
           "low-pass RMSE, m               0.00\n");
}

TEST(lengths_may_be_in_cells)
{
    expect(DONE, "c.pfm --against c.pfm", "rivers      0.00 cells apart");
    expect(DONE, "c.pfm --against b.pfm", "rivers      ");
    expect(DONE, "c.pfm --against c.pfm --cell 5 --json", "\"cell\": 5");
}

TEST(networks_are_compared)
{
    store("p.geojson", "{\"type\":\"LineString\",\"coordinates\":[[0,0],[1000,0]]}");
    store("q.geojson", "{\"type\":\"LineString\",\"coordinates\":[[0,40],[1000,40],[1000,1000]]}");
    expect(DONE, "p.geojson --against p.geojson", "lines       0.00 m apart");
    expect(DONE, "p.geojson --against q.geojson --cell 10", " 40.00 there");
    expect(DONE, "p.geojson --against q.geojson --json", "\"lines\"");
    expect(DONE, "p.geojson --against q.geojson", "1000 and 1960 m long");
    store("none.geojson", "{\"type\":\"FeatureCollection\",\"features\":[]}");
    expect(DONE, "p.geojson --against none.geojson", "lines       none to compare");
    store("bad.geojson", "{\"type\":\"Polygon\",\"coordinates\":[]}");
    expect(INVALID, "p.geojson --against bad.geojson", "bad.geojson");
}

TEST(what_makes_no_sense_is_refused)
{
    expect(USAGE, "a.pfm --against p.geojson", "two heightfields, or two networks");
    expect(USAGE, "a.pfm --against b.pfm --theta 0.4", "do not go with --against");
    expect(USAGE, "a.pfm --prominence 10", "go with --against");
    expect(USAGE, "a.pfm --against b.pfm --prominence -1", "prominence");
    expect(INVALID, "a.pfm --against gone.pfm", "gone.pfm");
    expect(INVALID, "a.pfm --against small.pfm", "'small.pfm' is 32 x 32, but 'a.pfm' is 64 x 64");
}

FIXTURE(open_folder)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/orograph-against-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0 || setenv("OROGRAPH", OROGRAPH_PROGRAM, 1) != 0)
        return -1;
    make_terrain("a.pfm", SIZE, 0, 20);
    make_terrain("b.pfm", SIZE, 2, 20);
    make_terrain("c.pfm", SIZE, 0, 0);
    make_terrain("small.pfm", SIZE / 2, 0, 20);
    return 0;
}

FIXTURE(close_folder)
{
    return chdir("/") == 0 && remove_tree(folder) == 0 ? 0 : -1;
}

TEST_GROUP(open_folder, close_folder);
