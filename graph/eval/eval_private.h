/* Shared by eval*.c: what a node may call while it is evaluated. The evaluator runs steps by oro_eval_step.
 */
#ifndef ORO_GRAPH_EVAL_EVAL_PRIVATE_H
#define ORO_GRAPH_EVAL_EVAL_PRIVATE_H

#include "base/memory.h"
#include "graph/eval/running.h"

/* A buffer that the evaluation made. `value` is set once the buffer was given as an output or kept as a
 * state. */
struct oro_owned {
    struct oro_buffer *buffer;
    size_t bytes;
    enum oro_type type; /* its type when it is stored as part of a state */
    int channels;       /* of a raster over `grid`; 0: an array */
    struct oro_grid grid;
    struct oro_value *value;
};

enum oro_keeping { ORO_KEEP_NOT, ORO_KEEP_LAST, ORO_KEEP_BY_COUNT, ORO_KEEP_BY_TIME };

/* States that are kept by time, of which only the newest stays. The same on all ranks, but for `cost`. */
struct oro_checkpoints {
    double cost;   /* seconds that storing one takes */
    int next_look; /* iterations after which the clock is looked at again */
    int passing;   /* iterations of the one on the disk; 0: there is none */
    bool begun, off;
    bool large;   /* it is allowed more of the disk than other states */
    int asked_at; /* iterations when it was found out last whether to keep the state, and the answer */
    enum oro_keeping answer;
};

/* The evaluation of one step. */
struct oro_eval {
    struct oro_evaluator *evaluator;
    const struct oro_plan *plan;
    const struct oro_step *step;
    struct oro_value **inputs; /* one per input of the type, NULL: not linked; borrowed */
    bool *linked;              /* likewise: whether a raster is linked that kernels read */
    void **made;               /* likewise: uplifts made of fields, networks of literals; freed at the end */
    struct oro_arena *arena;
    struct oro_owned *owned;
    size_t owned_count, owned_capacity;
    struct oro_result result; /* values by output index */
    double started, last_state;
    int done_at_start; /* iterations that a stored state had */
    struct oro_convergence {
        bool told;
        int done;
        double change, tolerance;
        double fall; /* of the logarithm of the change, for each iteration; 0: it does not fall, or is not
                        known */
    } convergence;   /* oro_eval_converging */
    struct oro_checkpoints checkpoints;
    int done, total;         /* as last reported; total 0: not yet */
    struct oro_text said;    /* of the result */
    struct oro_log said_log; /* adds to it */
    const char *live_output; /* the output that a simulation shows while it runs; NULL: none */
    bool failed;
    struct oro_error *err;
};

/* A new buffer, for a raster of `channels` floats a cell; 0: an array. */
struct oro_buffer *oro_evaluator_buffer(struct oro_evaluator *evaluator, size_t bytes, int channels,
                                        const struct oro_grid *grid, struct oro_error *err);

/* Runs the step's node. On success `eval->result` has every output. Always ends with oro_eval_end. */
bool oro_eval_step(struct oro_eval *eval);
void oro_eval_end(struct oro_eval *eval);

/* Shows the final output of a simulation that was shown while it ran, once it has given its outputs. */
void oro_eval_show_end(struct oro_eval *eval);

/* The data of an input or a stored state on the device. NULL: the evaluation has failed. */
struct oro_buffer *oro_eval_value_buffer(struct oro_eval *eval, struct oro_value *value);
/* The value of a buffer, made on first use; retained for the caller. */
struct oro_value *oro_eval_value_of(struct oro_eval *eval, struct oro_buffer *buffer, enum oro_type type);
/* What the evaluation knows of a buffer that it made; NULL: it did not make this one. */
const struct oro_owned *oro_eval_owned(const struct oro_eval *eval, const struct oro_buffer *buffer);

/* Whether the dispatch runs as code for the processor; describes it for that, once, and runs it. */
bool oro_eval_has_processor_code(const struct oro_eval *eval, const struct oro_dispatch *dispatch);
struct oro_processor_dispatch *oro_eval_describe(struct oro_eval *eval, const struct oro_dispatch *dispatch);
bool oro_eval_run(struct oro_eval *eval, const struct oro_dispatch *dispatch);
/* Runs the code that was made of the kernel's text, which the dispatch has. */
bool oro_eval_run_native(struct oro_eval *eval, const struct oro_dispatch *dispatch);
/* Runs the dispatch's kernel; or that by all methods that there are, to compare what they write. */
bool oro_eval_run_kernel(struct oro_eval *eval, struct oro_dispatch *dispatch);
bool oro_eval_run_all_methods(struct oro_eval *eval, struct oro_dispatch *dispatch);

/* The number of an input or output of the step's type; -1: there is none, and the evaluation has failed. An
 * output can only be given as what it is: a raster (`plain` ORO_NONE) or plain bytes of type `plain`. */
int oro_eval_input_index(struct oro_eval *eval, const char *name);
int oro_eval_output_index(struct oro_eval *eval, const char *name, enum oro_type plain);
/* Takes the value over. Returns true. */
bool oro_eval_put_output(struct oro_eval *eval, int index, struct oro_value *value);

#endif
