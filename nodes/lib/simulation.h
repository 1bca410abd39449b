/* The loop that all iterative nodes share: double-buffered state, resume, checkpoints, progress. */
#ifndef ORO_NODES_LIB_SIMULATION_H
#define ORO_NODES_LIB_SIMULATION_H

#include "graph/type/node.h"

enum { ORO_STATE_MAX = 4, ORO_FIXED_MAX = 4, ORO_OWN_MAX = 4 };

struct oro_simulation {
    struct oro_pass step; /* slots: the state to read, the state to write, what stays fixed, the cells' own */
    struct oro_buffer *state[2][ORO_STATE_MAX]; /* [0] is where it starts, and where it has ended */
    int state_count;
    struct oro_buffer *fixed[ORO_FIXED_MAX];
    int fixed_count;
    struct oro_buffer *own[ORO_OWN_MAX]; /* further state, which no cell reads of another: updated in place */
    int own_count;
    float constants[ORO_CONSTANTS_MAX]; /* values of the step's constants */
    const char *shown;                  /* the output that state[0][0] becomes: shown on the way */
    /* What is shown where that is not a buffer of the state; called only where somebody looks. */
    struct oro_buffer *(*picture)(struct oro_eval *eval, struct oro_simulation *simulation);
    void *user;
};

/* Kernels that include lib/flow.glsl handle square tiles, an invocation a few cells of one column; those
 * without shared memory handle strips of one column. Both set the pass's group, how many invocations it
 * takes, and for strips the definition of STRIP. The shapes are those that measured fastest on hardware. */
enum { ORO_TILE = 32, ORO_TILE_STRIP = 2 };
void oro_pass_tiles(struct oro_eval *eval, struct oro_pass *pass);
/* The same with so many cells an invocation, a divisor of ORO_TILE. */
void oro_pass_tiles_by(struct oro_eval *eval, struct oro_pass *pass, int strip);
void oro_pass_strips(struct oro_eval *eval, struct oro_pass *pass);

/* Makes the buffers of both halves of the state, each of the outputs' size. */
bool oro_simulation_buffers(struct oro_eval *eval, struct oro_simulation *simulation);
/* Runs `iterations` steps, or those left after the nearest stored state. The result is in state[0]. */
bool oro_simulate(struct oro_eval *eval, struct oro_simulation *simulation, int iterations);

/* Drainage to start from, into `area`: input `drainage` where it is linked, else every cell's own rain. Needs
 * the inputs `drainage` and `rain`. */
bool oro_drainage_start(struct oro_eval *eval, struct oro_buffer *area);

#endif
