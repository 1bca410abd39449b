/* Shared by the tests of hydraulic erosion: a terrain with the node upon it, and every number that tests
 * depend on set. Included once by a test program, after cmocka. */
#ifndef ORO_TESTS_NODES_BASIN_H
#define ORO_TESTS_NODES_BASIN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

/* Values for what a test does not set. */
static const struct {
    const char *name, *value;
} usual[] = {
    {"iterations", "100"}, {"time_step", "0.02"},     {"reference_cell", "20"}, {"rain", "0.012"},
    {"evaporation", "0"},  {"pipe_area", "20"},       {"gravity", "9.81"},      {"friction", "0.05"},
    {"neighbours", "8"},   {"borders", "outflow"},    {"capacity", "1"},        {"suspension", "0.5"},
    {"deposition", "1"},   {"erosion_depth", "10"},   {"film", "0.02"},         {"least_slope", "3"},
    {"collision", "0.25"}, {"hardness", "0.5"},       {"softening", "5"},       {"slide_rate", "0.15"},
    {"talus_bias", "0.1"}, {"talus_hardness", "0.8"}, {"limit_depth", "true"},  {"exchange", "true"},
    {"thermal", "true"},   {"erosion", "true"},       {"flow", "true"},         {"duration", "0"},
};

/* Node "n" over "ground.terrain". `inputs` is XML; further rasters are in the site already. */
static void add_erosion(struct site *site, const char *inputs)
{
    char given[4096];
    size_t used = (size_t)snprintf(given, sizeof given, "%s", inputs);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "\"%s\"", usual[i].name);
        if (!strstr(inputs, name))
            used += (size_t)snprintf(given + used, sizeof given - used, IN("%s", "%s"), usual[i].name,
                                     usual[i].value);
    }
    assert_true(used < sizeof given);
    site_node(site, "n", "hydraulic_erosion", LINK("terrain", "ground.terrain") "%s", given);
}

static struct site basin(const float *terrain, int width, int height, double cell, const char *inputs)
{
    struct site site = site_start(&h, width, height, cell);
    site_raster(&site, "ground", terrain);
    add_erosion(&site, inputs);
    return site;
}

/* One output of one run. */
static inline float *eroded(const float *terrain, int width, int height, const char *inputs,
                            const char *output)
{
    struct site site = basin(terrain, width, height, 20, inputs);
    return site_take(&site, "n", output);
}

static const char *format(const char *text, ...) ORO_PRINTF(1, 2);
static const char *format(const char *text, ...)
{
    static char made[4][1024];
    static int next;
    char *to = made[next++ % 4];
    va_list args;
    va_start(args, text);
    assert_true(vsnprintf(to, sizeof made[0], text, args) < (int)sizeof made[0]);
    va_end(args);
    return to;
}

#endif
