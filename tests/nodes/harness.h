/*
 * Evaluates documents given as text, for tests of node types: on the first device that works, without a disk
 * cache.
 *
 * A test group opens the harness once; where there is no device its tests are skipped. Rasters that a test
 * wants to feed in are stored as float files, which an `import` node reads back bit by bit.
 */
#ifndef ORO_TESTS_NODES_HARNESS_H
#define ORO_TESTS_NODES_HARNESS_H

#include "graph/eval/evaluator.h"
#include "graph/type/registry.h"

/* A document around its nodes: HARNESS_DOCUMENT("extent=\"1000\" resolution=\"16\"", "<node .../>"). */
#define HARNESS_DOCUMENT(world, nodes)                                                                       \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"        \
    "<world " world "/>\n" nodes "</orograph>\n"

enum { HARNESS_FIGURES_MAX = 64 };

struct harness_figure {
    char node[64];
    struct oro_figure figure;
};

struct harness {
    struct oro_device *device;
    struct oro_cache *cache;
    struct oro_plan_options options;     /* of the next runs; zeroed but for allow_any_path */
    const struct oro_registry *registry; /* node types; set to all of them when it opens */
    bool kernels_only; /* nodes use their kernels also on the processor; without the cache */
    struct oro_dispatch_shape
        per_dispatch; /* iterations a dispatch, where kernels can do several; zeroed: as usual */
    char folder[64];  /* for files, removed at the end */
    /* Of the last run: */
    struct oro_error err;
    char warnings[2048]; /* warnings and notices, one per line */
    struct harness_figure figures[HARNESS_FIGURES_MAX];
    int figure_count;
    int computed; /* steps that were computed, not found in the cache */
};

/* A raster on the host; or an uplift or a network, which has no cells and no channels. Free with
 * harness_free. */
struct harness_raster {
    enum oro_type type;
    struct oro_grid grid;
    int channels;
    float *data;
    size_t bytes;
};

/* False: there is no device, and `err` says why. Where the environment variable OROGRAPH_TEST_SHADERS names a
 * folder, kernels are read from there: plant a mistake in a copy, and see whether the tests notice. */
bool harness_open(struct harness *h);
void harness_close(struct harness *h);
/* Empties the cache: thousands of results in it would make each further one slow. */
void harness_forget(struct harness *h);

/* Evaluates `output` of `node`; with `output` NULL runs the sink `node`. False: h->err says why. */
bool harness_try(struct harness *h, const char *document, const char *node, const char *output,
                 struct harness_raster *raster);
/* The same, and fails the test with the message if it fails. */
struct harness_raster harness_run(struct harness *h, const char *document, const char *node,
                                  const char *output);
void harness_free(struct harness_raster *raster);

/* Writes a float file NAME in the harness's folder; its path goes to `path`. */
void harness_store(struct harness *h, const char *name, int width, int height, const float *data,
                   char path[128]);
/* The path of a file of that name in the harness's folder. */
const char *harness_path(const struct harness *h, const char *name, char path[128]);
/* A figure of the last run; fails the test when there is none of that name. */
double harness_figure(const struct harness *h, const char *node, const char *name);

/* Fails the test unless the two differ by at most `tolerance`: absolute, where cmocka's own accepts relative
 * too. */
#define assert_near(a, b, tolerance) harness_near((double)(a), (double)(b), tolerance, __FILE__, __LINE__)
void harness_near(double a, double b, double tolerance, const char *file, int line);

#endif
