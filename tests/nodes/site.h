/*
 * A document under construction, whose rasters come from arrays, for tests of simulations: rasters of width x
 * height cells over the same ground.
 */
#ifndef ORO_TESTS_NODES_SITE_H
#define ORO_TESTS_NODES_SITE_H

#include "tests/nodes/harness.h"

enum { SITE_TEXT_MAX = 16384 };

struct site {
    struct harness *harness;
    int width, height;
    double cell;
    char nodes[SITE_TEXT_MAX];
};

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"

struct site site_start(struct harness *h, int width, int height, double cell);
/* A raster of the site's size; its output is ID.terrain. */
void site_raster(struct site *site, const char *id, const float *data);
/* A node, with its inputs as XML made by printf. */
void site_node(struct site *site, const char *id, const char *type, const char *inputs, ...) ORO_PRINTF(4, 5);
/* Evaluates an output. Free with oro_free. Fails the test where a value is not finite. */
float *site_take(struct site *site, const char *node, const char *output);

/* ---- Terrains and their measures ---- */

/* Uniform in [0, 1), from a hash. */
double site_random(unsigned seed, int i);
/* Hills of `size` cells and their details down to the single cell, 0..relief above `low`. Free with oro_free.
 */
float *site_rough(int width, int height, double size, double relief, double low, unsigned seed);
float *site_uniform(int width, int height, double value);
/* Values between low and high with no pattern. */
float *site_scatter(int width, int height, double low, double high, unsigned seed);

double site_sum(const float *a, int cells);
/* Largest |a - b|. */
double site_difference(const float *a, const float *b, int cells);
/* Cells of the interior with no strictly lower neighbour. */
int site_pits(const float *height, int columns, int rows);

#endif
