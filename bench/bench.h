/* Benchmarks: what an iteration of each erosion kernel costs, against what the device's memory allows. Never
 * part of the tests. Suites add rows; main.c prints them as a table or as JSON. */
#ifndef ORO_BENCH_BENCH_H
#define ORO_BENCH_BENCH_H

#include "graph/device.h"
#include "graph/document.h"
#include "graph/evaluator.h"

enum { BENCH_SIZES_MAX = 16, BENCH_ROWS_MAX = 256 };

struct bench_row {
    char suite[32], name[48];
    int size;              /* cells a side */
    int iterations;        /* that were timed */
    double milliseconds;   /* per iteration, or of the whole; device time where the device has timers */
    double bytes_per_cell; /* that an iteration must move at least; 0: not meant */
    double bandwidth;      /* that this comes to, bytes per second */
};

struct bench {
    struct oro_device *device;
    int sizes[BENCH_SIZES_MAX], size_count;
    int repeats;
    const char *only;      /* node type to measure, or NULL: all */
    double copy_bandwidth; /* bytes read and written per second by a copy on the device */
    struct bench_row rows[BENCH_ROWS_MAX];
    int row_count;
};

/* A graph under construction: nodes chained by the caller. After a failure, calls do nothing: see `failed`.
 */
struct bench_graph {
    struct oro_document *doc;
    bool failed;
    struct oro_error err;
};
void bench_graph_begin(struct bench_graph *graph, int resolution);
void bench_graph_node(struct bench_graph *graph, const char *id, const char *type);
void bench_graph_set(struct bench_graph *graph, const char *id, const char *input, double value);
void bench_graph_link(struct bench_graph *graph, const char *id, const char *input, const char *from,
                      const char *output);
void bench_graph_end(struct bench_graph *graph);

/* Seconds that nodes took in one evaluation without a cache. */
struct bench_times {
    double step, step_device; /* of the step named, wall clock and device (negative: no timers) */
    double whole;             /* wall clock */
    double device;            /* all steps */
};
/* Evaluates `node`'s `output`, and waits for it. */
bool bench_evaluate(struct bench *bench, struct bench_graph *graph, const char *node, const char *output,
                    struct bench_times *times);

/* Room for one more row, or the last one again when there is none. */
struct bench_row *bench_row(struct bench *bench, const char *suite, const char *name, int size);

bool bench_copy(struct bench *bench, struct oro_error *err);
bool bench_erosion(struct bench *bench, struct oro_error *err);
bool bench_figure15(struct bench *bench, struct oro_error *err);

#endif
