/*
 * Evaluates documents with a node whose type is a script, for tests of `cell` and `field`: on the first
 * device that works, without a cache. A test group opens it once; where there is no device its tests are
 * skipped.
 */
#ifndef ORO_TESTS_LUA_SCENE_H
#define ORO_TESTS_LUA_SCENE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/harness.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
/* The node under test, with the node `t` linked to its terrain. */
#define PROBE(inputs) NODE("s", "zz_probe", LINK("terrain", "t.terrain") inputs)

enum { SCENE_SIDE_MAX = 1100, SCENE_CELL = 10 };

struct scene {
    struct harness h;
    int width, height; /* of the ground: cells of SCENE_CELL metres, the node `t` */
    float *ground;
    double cancel_after; /* seconds; 0: never */
    size_t fail_at;      /* this allocation of an evaluation fails; 0: none */
    size_t allocations;  /* of the last evaluation */
    double seconds;      /* what the last evaluation took */
};
extern struct scene scene;

int scene_open(void **state);
int scene_close(void **state);
void need_device(void);

/* Makes the ground: hills and rough noise, between 0 and 100. */
void scene_size(int width, int height);

/* Runs `script`, the text of probe.lua, as the type zz_probe within the document's `nodes`, and gives an
 * output of the node `s`. False: scene.h.err says why. */
bool scene_try(const char *script, const char *nodes, const char *output, struct harness_raster *raster);
/* The same, and fails the test with the message if it fails. */
struct harness_raster scene_run(const char *script, const char *nodes, const char *output);
/* Expects that it fails, with a message that has all of these texts; ends with NULL. */
void scene_fails(const char *script, const char *nodes, ...);
/* Expects that an evaluation fails with ORO_E_MEMORY, or does without, when any of its allocations fails. */
void scene_survives_no_memory(const char *script, const char *nodes);
/* Expects the same bits on 1, 2, 3 and 7 threads. */
void scene_same_bits(const char *script, const char *nodes, const char *output);

/* A script with `terrain` in and out, and further inputs, that has this function: CELL("return f.terrain(x,
 * y)").
 */
#define SCRIPT(inputs, outputs, body)                                                                        \
    "return { id = \"zz_probe\", inputs = { { name = \"terrain\", type = \"field\" },\n" inputs              \
    "}, outputs = {" outputs "},\n" body "}\n"
#define OUT_FIELD "{ name = \"field\", type = \"field\" }"
#define CELL(body) "cell = function(x, y, f, p)\n" body "\nend\n"
#define FIELD(body) "field = function(f, p)\n" body "\nend\n"

#endif
