/*
 * Shared by the tests of the engine: one device per program, and runs of documents given as text, with all
 * that an evaluation reports. Without a device, the tests are skipped.
 */
#ifndef ORO_TESTS_ENGINE_SUPPORT_H
#define ORO_TESTS_ENGINE_SUPPORT_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/devices.h"
#include "graph/eval/evaluator.h"
#include "tests/support/test.h"

/* A document with a world of 32 x 32 cells of 50 m around its nodes. */
#define DOCUMENT(nodes) WORLD("extent=\"1600\" resolution=\"32\" seed=\"7\"", nodes)
#define WORLD(world, nodes)                                                                                  \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"        \
    "<world " world "/>\n" nodes "</orograph>\n"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define NOISE NODE("noise", "noise", SET("feature", "800") SET("amplitude", "300"))

enum { RUN_STEPS_MAX = 64 };

struct run_step {
    char id[64];
    enum oro_step_outcome outcome;
    int iterations_run, resumed_from;
    uint64_t dispatches;
    struct oro_hash digest;
    struct oro_figure figures[ORO_RESULT_FIGURES_MAX];
    int figure_count;
};

struct run {
    /* Set before: */
    struct oro_cache *cache; /* may be NULL */
    struct oro_plan_options options;
    void (*progress)(struct run *run, const struct oro_progress *progress);
    void (*step_done)(struct run *run, const struct oro_step_report *report);
    void (*live)(struct run *run, const struct oro_live *live);
    int live_every; /* this and the next: see graph/eval/evaluator.h */
    double live_seconds;
    bool cancel_first;                        /* cancel before the evaluation begins */
    double state_seconds, checkpoint_seconds; /* see graph/eval/evaluator.h */
    bool kernels_only;                        /* likewise, and this */
    struct oro_dispatch_shape per_dispatch;
    struct oro_ranks *ranks; /* that evaluate together; NULL: this process alone */
    bool brief;              /* no digests, and no reports of steps that were not needed */
    void *user;
    /* Set by the run: */
    struct oro_evaluator *evaluator;
    bool ok;
    struct oro_error err;
    struct oro_hash data, key; /* of the target's values; of its step */
    struct oro_grid grid;
    float cells[1024]; /* the first ones of the target */
    size_t planned_bytes;
    bool capped;
    struct run_step steps[RUN_STEPS_MAX]; /* as they were reported */
    int step_count, computed;             /* how many reports, and how many steps were computed */
    char warnings[1024];
};

extern struct oro_device *device;
/* The one that users get; or a driver, where a test is about kernels or about losing a device. */
int open_device(void **state);
int open_driver(void **state);
int close_device(void **state);
/* Skips the test if there is no device. */
void need_device(void);

/* A cache in memory; with `folder`, in front of one on disk. */
struct oro_cache *new_cache(const char *folder);
/* Plans and evaluates "node.output". Failure is told in run->ok and run->err. */
void run_document(struct run *run, const char *document, const char *target);
/* The same with a new run in `cache`, which must succeed. */
struct run run_ok(struct oro_cache *cache, const char *document, const char *target);
/* The last report of a step; fails the test if there is none. */
const struct run_step *step_of(const struct run *run, const char *id);

#define assert_same_data(a, b) assert_true(oro_hash_equal((a).data, (b).data))
#define assert_other_data(a, b) assert_false(oro_hash_equal((a).data, (b).data))

/* Makes a fresh folder, and removes it with all that is in it. */
void make_folder(char path[64]);
void remove_folder(const char *path);

/* A document from a format; the result is valid for the next three calls. */
const char *text_of(const char *format, ...) ORO_PRINTF(1, 2);

#endif
