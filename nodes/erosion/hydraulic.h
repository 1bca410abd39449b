/*
 * Shared by the files of the node hydraulic_erosion: hydraulic_erosion.c (inputs, outputs), hydraulic_start.c
 * (the state to start from), hydraulic_end.c (what a state looks like in metres, balances), hydraulic_scale.c
 * (units).
 */
#ifndef ORO_NODES_EROSION_HYDRAULIC_H
#define ORO_NODES_EROSION_HYDRAULIC_H

#include "nodes/erosion/hydraulic_scale.h"
#include "nodes/lib/simulation.h"

/* The state, as gles_shaders/lib/pipes.glsl has it: cells, pipes and rises ahead. Besides, as
 * oro_simulation.own: `bed`, the lowest that the ground has been, and `gone`, what has left over the
 * borders from each cell. */
enum { ORO_HYDRAULIC_CELLS, ORO_HYDRAULIC_PIPES, ORO_HYDRAULIC_AHEAD };
enum { ORO_HYDRAULIC_BED, ORO_HYDRAULIC_GONE };

struct oro_hydraulic {
    struct oro_eval *eval;
    const struct oro_hydraulic_params *params;
    struct oro_hydraulic_scale scale;
    struct oro_pace pace;
    struct oro_simulation simulation;
    struct oro_buffer *terrain;
    const char *defines, *pipes_element; /* for the kernels: as many pipes as `neighbours` says */
    double water, sediment;              /* given at the start: sums of depths, metres */
    double fallen;                       /* steps that fall in an iteration on all cells together */
    /* Steps that fall in an iteration, with the ground at the start; NULL: everywhere the same. */
    struct oro_buffer *falls;
    struct oro_dispatch look; /* makes `picture` of a state on the way */
    struct oro_buffer *picture;
};

/* Checks the inputs, and makes the state and `falls`. */
bool oro_hydraulic_start(struct oro_hydraulic *run);
/* A copy of a buffer on the host, to be freed with oro_free. NULL: the evaluation has failed. */
void *oro_hydraulic_fetch(struct oro_eval *eval, struct oro_buffer *buffer, size_t bytes);
/* The terrain of the state, to be shown on the way (oro_simulation.picture). */
struct oro_buffer *oro_hydraulic_picture(struct oro_eval *eval, struct oro_simulation *simulation);
/* Gives the outputs and the balance. */
bool oro_hydraulic_end(struct oro_hydraulic *run);

#endif
