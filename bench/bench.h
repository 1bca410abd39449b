/* Benchmarks: what an iteration of each erosion kernel costs, compared with what the device's memory allows;
 * what exact drainage and detail cost; and how much less our terrains have to be breached than others. They
 * are not tests. Suites add rows, which are printed as a table or as JSON: bench/print.h. */
#ifndef ORO_BENCH_BENCH_H
#define ORO_BENCH_BENCH_H

#include "graph/document/document.h"
#include "graph/eval/evaluator.h"
#include "graph/type/device.h"

enum { BENCH_SIZES_MAX = 16, BENCH_ROWS_MAX = 512 };

struct bench_row {
    char suite[32], name[64];
    int size;              /* cells a side */
    int iterations;        /* number that were timed */
    double milliseconds;   /* per iteration, or of the whole run; device time where the device has timers */
    double bytes_per_cell; /* least that an iteration must move; 0: does not apply */
    double bandwidth;      /* bytes per second that this amounts to */
    size_t peak_bytes;     /* most that buffers on the device took; 0: not known */
    double figure;         /* a result that is not a time, in `unit` */
    const char *unit;      /* NULL: there is no figure */
};

/* Heightfields that tables are computed on; without any, generated terrains. `high` is the elevation of the
 * largest value, `low` that of the smallest; `high` 0: as the file's sidecar says. */
enum { BENCH_INPUTS_MAX = 16, BENCH_WITH_MAX = 16, BENCH_SEEDS_MAX = 16 };
struct bench_inputs {
    const char *files[BENCH_INPUTS_MAX];
    int file_count;
    double high[BENCH_INPUTS_MAX], extent[BENCH_INPUTS_MAX]; /* metres */
    int base;                                                /* cells a side before amplification */
    /* For the suite `realism`; 0: as the file says, and 8. */
    double low[BENCH_INPUTS_MAX], cell[BENCH_INPUTS_MAX], factor[BENCH_INPUTS_MAX];
    const char *with[BENCH_WITH_MAX]; /* graphs to try */
    int with_count;
    int seeds;            /* that each way is tried with */
    const char *pictures; /* folder, or NULL */
};

struct bench {
    struct oro_device *device;
    int sizes[BENCH_SIZES_MAX], size_count;
    int repeats;
    struct oro_dispatch_shape per_dispatch; /* times 0: as usual */
    const char *only;                       /* node type to measure, or NULL: all */
    const char *examples;                   /* folder of the graphs of the papers' figures */
    const char *log; /* what files of convergence logs begin with, or NULL: none are written */
    /* Sees what simulations look like on the way; NULL: nobody looks. */
    void (*live)(void *user, const struct oro_live *live);
    void *live_user;
    int live_every;
    struct bench_inputs inputs;
    double copy_bandwidth; /* bytes read and written per second by a copy on the device */
    struct bench_row rows[BENCH_ROWS_MAX];
    int row_count;
    struct bench_realism *realism; /* what the suite `realism` found: bench/realism.h */
    int realism_count;
};

/* A graph under construction: nodes chained by the caller. After a failure, calls do nothing: see `failed`.
 */
struct bench_graph {
    struct oro_document *doc;
    bool failed;
    struct oro_error err;
};
void bench_graph_begin(struct bench_graph *graph, int resolution); /* 20 km wide */
void bench_graph_extent(struct bench_graph *graph, int resolution, double extent);
void bench_graph_node(struct bench_graph *graph, const char *id, const char *type);
void bench_graph_set(struct bench_graph *graph, const char *id, const char *input, double value);
void bench_graph_word(struct bench_graph *graph, const char *id, const char *input, const char *word);
void bench_graph_link(struct bench_graph *graph, const char *id, const char *input, const char *from,
                      const char *output);
void bench_graph_end(struct bench_graph *graph);

/* A terrain that a table is computed on. */
struct bench_input {
    char name[24];
    const char *file; /* NULL: generated */
    int which, base;
    double high, extent;
};
/* Input number `i`: one of the files given, or else of the suite's own terrains, whose names end with NULL.
 * False: there are no more. */
bool bench_input(const struct bench *bench, int i, const char *const *made_up, struct bench_input *input);
/* A node `id` that gives a file's terrain. */
void bench_graph_import(struct bench_graph *graph, const char *id, const struct bench_input *input);
/* A node `id` that joins two rasters. */
void bench_graph_combine(struct bench_graph *graph, const char *id, const char *a, const char *a_output,
                         const char *method, const char *b, const char *b_output);

/* A level of amplification, by erosion with the same number of iterations of each process. The first level
 * has no finer cells than its input. */
void bench_graph_amplify(struct bench_graph *graph, const char *id, const char *before, const char *output,
                         bool first, int iterations);

/* Mean and root mean square of a value's cells. */
struct bench_moments {
    double mean, rms;
};
bool bench_moments_of(struct oro_value *value, struct bench_moments *moments, struct oro_error *err);

/* Seconds that nodes took in one evaluation without a cache. */
struct bench_times {
    double step, step_device; /* of the step named, wall clock and device (negative: no timers) */
    double whole;             /* wall clock */
    double device;            /* all steps */
};
/* The same by nodes, and by the parts of composites: "chain/level2" sums up all steps in it. */
enum { BENCH_PARTS_MAX = 96 };
struct bench_part {
    char id[64];
    int size; /* cells along x of its result */
    double wall, device;
    double steps; /* that its simulations took: their figures of that name */
};
struct bench_parts {
    struct bench_part items[BENCH_PARTS_MAX];
    int count;
    double whole;
};
/* Evaluates all targets in one run, and waits for it. `values`: one for each target, which the caller
 * releases. Fails with ORO_E_LIMIT or ORO_E_MEMORY where the device's memory does not allow it. */
bool bench_evaluate_all(struct bench *bench, struct bench_graph *graph, const struct oro_target *targets,
                        int count, struct oro_value **values, struct bench_parts *parts);
/* Evaluates `node`'s `output`, and waits for it. */
bool bench_evaluate(struct bench *bench, struct bench_graph *graph, const char *node, const char *output,
                    struct bench_times *times);

double bench_correlation(const double *a, const double *b, int count);
/* Spearman's: puts ranks in place of the values. */
bool bench_rank_correlation(double *a, double *b, int count, double *correlation, struct oro_error *err);

/* Sorts the values. */
double bench_median(double *values, int count);
/* Room for one more row, or the last row again when there is no more room. */
struct bench_row *bench_row(struct bench *bench, const char *suite, const char *name, int size);
/* The same, for a result that is not a time. */
void bench_figure(struct bench *bench, const char *suite, const char *name, int size, double figure,
                  const char *unit);

bool bench_copy(struct bench *bench, struct oro_error *err);
bool bench_erosion(struct bench *bench, struct oro_error *err);
bool bench_figure15(struct bench *bench, struct oro_error *err);
bool bench_balance(struct bench *bench, struct oro_error *err);
bool bench_inversion(struct bench *bench, struct oro_error *err);
bool bench_figures(struct bench *bench, struct oro_error *err); /* part of bench_balance, as is the next */
bool bench_convergence(struct bench *bench, struct oro_error *err);
bool bench_hydrology(struct bench *bench, struct oro_error *err);
bool bench_table3(struct bench *bench, struct oro_error *err);
bool bench_uplift(struct bench *bench, struct oro_error *err);
bool bench_copies(struct bench *bench, struct oro_error *err);
bool bench_phasor(struct bench *bench, struct oro_error *err);
bool bench_constraint(struct bench *bench, struct oro_error *err);
bool bench_spread(struct bench *bench, struct oro_error *err);
bool bench_scales(struct bench *bench, struct oro_error *err);
bool bench_worlds(struct bench *bench, struct oro_error *err);
bool bench_document(struct bench *bench, struct oro_error *err);
bool bench_table1(struct bench *bench, struct oro_error *err);
bool bench_write(struct bench *bench, struct oro_error *err);
bool bench_realism(struct bench *bench, struct oro_error *err);
bool bench_tiles(struct bench *bench, struct oro_error *err);

/* Iterations of each process at 256 cells a side and every doubling of it (Schott 2024, table 1, figure 18
 * B). */
enum { BENCH_LEVELS = 5 };
extern const int bench_iterations[BENCH_LEVELS];

#endif
