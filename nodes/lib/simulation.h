/* The loop that all iterative nodes share: double-buffered state, resume, checkpoints, progress. */
#ifndef ORO_NODES_LIB_SIMULATION_H
#define ORO_NODES_LIB_SIMULATION_H

#include "graph/type/node.h"

enum { ORO_STATE_MAX = 5, ORO_OWN_MAX = 5, ORO_SHAPES_MAX = 4 };

/* A raster of the state: what the step reads it from and writes it to, as slots. */
struct oro_state {
    const char *from, *to, *type;
    struct oro_buffer *now; /* where it starts, and where it has ended */
    struct oro_buffer *next;
};

/* How a kernel does several iterations in one dispatch (lib/iterations.glsl, which says what REACH and GIVERS
 * are). */
struct oro_iterations_per_dispatch {
    int reach, givers;
    int arrays; /* of a tile, in shared memory */
    /* Rings around the cells that have an invocation. 0: one, of which nothing is kept. Else an invocation
     * has one cell, and for the first iteration at most one of the rings. */
    int rings;
    /* The first one counts that is for grids of so many cells or fewer, and fits the device. Others: one by
     * one. */
    struct {
        double cells;
        struct oro_dispatch_shape shape;
    } shapes[ORO_SHAPES_MAX];
};

struct oro_simulation {
    struct oro_dispatch step;              /* its slots, but those of the state */
    struct oro_state state[ORO_STATE_MAX]; /* ends with one that has no name */
    /* Further state, of which a cell reads only its own: slots that the step updates. Ends with NULL. */
    struct oro_buffer *own[ORO_OWN_MAX];
    const char *shown; /* the output that the first of the state becomes: shown on the way */
    const struct oro_iterations_per_dispatch *per_dispatch; /* NULL: one iteration a dispatch */
    char defines[200];                                      /* for that: those of the step, and more */
    /* Makes what is shown, if that is no part of the state. Called only while somebody looks on. */
    struct oro_buffer *(*picture)(struct oro_eval *eval, struct oro_simulation *simulation);
    void *user;
};

/* Kernels that include lib/flow.glsl handle square tiles, an invocation a few cells of one column; those
 * without shared memory handle strips of one column. Both set the dispatch's group, how many invocations it
 * takes, and for strips the definition of STRIP. The shapes are those that measured fastest on hardware. */
enum { ORO_TILE = 32, ORO_TILE_STRIP = 2 };
void oro_dispatch_tiles(struct oro_eval *eval, struct oro_dispatch *dispatch);
/* The same for tiles with so many cells an invocation, a divisor of ORO_TILE. */
void oro_dispatch_tiles_by(struct oro_eval *eval, struct oro_dispatch *dispatch, int strip);
/* The same over another grid than that of the outputs. */
void oro_dispatch_tiles_over(const struct oro_grid *grid, struct oro_dispatch *dispatch, int strip);
void oro_dispatch_strips(struct oro_eval *eval, struct oro_dispatch *dispatch);

/* Gives a dispatch the form that lib/iterations.glsl expects, if several iterations are faster on this grid,
 * or are asked for: its group, its definitions, written to `defines` beside those that it has, and the
 * constant `times`. Returns how many iterations it may do: that is set before each run, if more than 1. */
int oro_dispatch_iterations(struct oro_eval *eval, struct oro_dispatch *dispatch,
                            const struct oro_iterations_per_dispatch *iterations, char *defines, size_t size);

/* Makes the buffers of the state, each of the outputs' size. */
bool oro_simulation_buffers(struct oro_eval *eval, struct oro_simulation *simulation);
/* Runs `iterations` steps, or those left after the nearest stored state. */
bool oro_simulate(struct oro_eval *eval, struct oro_simulation *simulation, int iterations);

/* Drainage to start from, into `area`: input `drainage` where it is linked, else every cell's own rain. Needs
 * the inputs `drainage` and `rain`. */
bool oro_drainage_start(struct oro_eval *eval, struct oro_buffer *area);

#endif
