/* Shared by evaluator.c (running a plan) and eval*.c (what a node may call while it is evaluated). */
#ifndef ORO_GRAPH_EVAL_EVAL_PRIVATE_H
#define ORO_GRAPH_EVAL_EVAL_PRIVATE_H

#include <stdatomic.h>

#include "base/memory.h"
#include "graph/eval/evaluator.h"

struct oro_evaluator {
    struct oro_device *device;
    struct oro_cache *cache;
    struct oro_evaluator_options options;
    atomic_int cancelled; /* lock-free, and so safe in a signal handler */
    struct oro_run *run;  /* while a plan runs */
    double started, last_progress, last_live;
    size_t step_index, step_count;
};

/* A buffer that the evaluation made. `value` once it was given as an output or kept as a state. */
struct oro_owned {
    struct oro_buffer *buffer;
    size_t bytes;
    enum oro_type type; /* as what it is stored when it is part of a state */
    struct oro_grid grid;
    struct oro_value *value;
};

/* The evaluation of one step. */
struct oro_eval {
    struct oro_evaluator *evaluator;
    const struct oro_plan *plan;
    const struct oro_step *step;
    struct oro_value **inputs; /* one per input of the type, NULL: not linked; borrowed */
    bool *linked;              /* likewise: is a raster linked that kernels read? */
    void **made;               /* likewise: trees of fields, networks of literals; freed at the end */
    struct oro_arena *arena;
    struct oro_owned *owned;
    size_t owned_count, owned_capacity;
    struct oro_result result; /* values by output index */
    double started, last_state;
    int done_at_start;       /* iterations that a stored state had */
    int done, total;         /* as last reported; total 0: not yet */
    const char *live_output; /* what a simulation shows on the way; NULL: nothing */
    bool failed;
    struct oro_error *err;
};

/* Runs the step's node. On success `eval->result` has every output. Always ends with oro_eval_end. */
bool oro_eval_step(struct oro_eval *eval);
void oro_eval_end(struct oro_eval *eval);

/* Shows the end of a simulation that showed itself on the way, once it has given its outputs. */
void oro_eval_show_end(struct oro_eval *eval);

/* The data of an input or a stored state on the device. NULL: the evaluation has failed. */
struct oro_buffer *oro_eval_value_buffer(struct oro_eval *eval, struct oro_value *value);
/* The value of a buffer, made on first use; retained for the caller. */
struct oro_value *oro_eval_value_of(struct oro_eval *eval, struct oro_buffer *buffer, enum oro_type type);
/* What the evaluation knows of a buffer that it made; NULL: it made none such. */
const struct oro_owned *oro_eval_owned(const struct oro_eval *eval, const struct oro_buffer *buffer);

/* The number of an input or output of the step's type; -1: there is none, and the evaluation has failed. An
 * output must be there to be given, as a raster (`plain` ORO_NONE) or as plain bytes of type `plain`. */
int oro_eval_input_index(struct oro_eval *eval, const char *name);
int oro_eval_output_index(struct oro_eval *eval, const char *name, enum oro_type plain);
/* Takes the value over. Returns true. */
bool oro_eval_put_output(struct oro_eval *eval, int index, struct oro_value *value);

/* Frees device memory for what `step` is about to make: what the cache alone holds gives way first, then what
 * waits for later steps goes to the host. Where that is not enough, making the buffer fails. */
void oro_evaluator_make_room(struct oro_evaluator *evaluator, const struct oro_step *step, size_t bytes);
/* What a step of the running plan gave: there while a step that uses it runs. */
const struct oro_result *oro_evaluator_result(const struct oro_evaluator *evaluator, int step);
bool oro_evaluator_report_progress(struct oro_evaluator *evaluator, const struct oro_progress *progress,
                                   bool force);

#endif
