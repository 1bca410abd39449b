/*
 * A build: evaluates a document in full and writes files, in the background, while the user goes on editing.
 * It has a device and node types of its own, and shares the cache on disk with the live evaluation.
 *
 * Threads: the window's.
 */
#ifndef ED_LIVE_BUILD_H
#define ED_LIVE_BUILD_H

#include "editor/live/live.h"
#include "graph/eval/pace.h"

/* Something to write: either everything that a file-writing node writes, or one output, into a file whose
 * extension says the format. */
struct ed_build_output {
    const char *node;
    const char *output; /* NULL: the node writes files itself */
    const char *path;   /* beside the document, or absolute; NULL: the node knows */
};
struct ed_build_options {
    const struct oro_document *root; /* copied */
    int base_resolution;             /* of the world, in place of the document's; 0: its own */
    int max_resolution;              /* cap; 0: none */
    bool has_seed;
    int64_t seed;
    bool require_drained;
    int engine; /* whom outputs are for: an index of oro_engine_names, 0 nobody; nodes that write know theirs
                 */
    const struct ed_build_output *outputs;
    size_t output_count;
    struct ed_live_options live; /* device, shaders, memory, wake */
};

enum ed_build_phase { ED_BUILD_RUNNING, ED_BUILD_DONE, ED_BUILD_FAILED, ED_BUILD_CANCELLED };
struct ed_build_status {
    enum ed_build_phase phase;
    char node[128]; /* that runs */
    size_t step, steps;
    float progress;      /* 0..1, of the whole build, estimated */
    double seconds;      /* elapsed so far, or in total once it has ended */
    double seconds_left; /* negative: unknown */
    size_t peak_bytes;   /* of device memory, as planned */
    char problem[512], problem_node[128];
};

struct ed_build;
struct ed_build *ed_build_start(const struct ed_build_options *options, struct oro_error *err);
void ed_build_cancel(struct ed_build *build);
void ed_build_status(struct ed_build *build, struct ed_build_status *status);
/* Paths of files that were written, in order; NULL after the last. Valid until it is destroyed. */
const char *ed_build_file(struct ed_build *build, size_t index);
void ed_build_log(struct ed_build *build, void (*each)(void *user, enum oro_level level, const char *text),
                  void *user);
/* Cancels the build if it is running, and waits for its end. */
void ed_build_destroy(struct ed_build *build);

/* What a build would need, for the dialog: cells of the largest raster, bytes of device memory, and the time
 * on a device of that name, with nothing stored. */
struct ed_build_estimate {
    int width, height;
    size_t peak_bytes;
    const char *device;
    struct oro_forecast time;
    /* Where the caller has room for as many as outputs: the cells of each that is written as one raster, else
     * 0. Or NULL. */
    struct ed_build_size {
        int width, height;
    } * sizes;
};
bool ed_build_estimate(const struct oro_document *root, const struct oro_registry *registry,
                       const struct ed_build_options *options, struct ed_build_estimate *estimate,
                       struct oro_error *err);

#endif
