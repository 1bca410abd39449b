/* A parabola fitted to samples along a line of cells: gles_shaders/lib/parabola.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PARABOLA_H
#define ORO_TERRAIN_PROCESSOR_LIB_PARABOLA_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* How many cells it reaches, and how many lie between samples (nodes/mask/quadratic.h). */
struct oro_fit_window {
    float reach;
    int stride;
    float cell;
};
struct oro_fit_window oro_fit_window_of(struct oro_run *run);

enum { ORO_SAMPLES_SIDE = 33, ORO_SAMPLES = 2 * ORO_SAMPLES_SIDE + 1 };

/* The three polynomials at samples `first` to `last`, times the samples' weights; that of the place itself is
 * [ORO_SAMPLES_SIDE]. */
struct oro_parabola {
    int first, last;
    float middle, skew, metres; /* metres between samples */
    float norms[3];
    float basis[3][ORO_SAMPLES];
};

/* Samples of a place `at` on a line of `size` cells. True: `line` was made for the same. */
bool oro_parabola_has(const struct oro_fit_window *window, int at, int size, const struct oro_parabola *line);
struct oro_parabola oro_parabola_around(const struct oro_fit_window *window, int at, int size);

/* What the fit says about the place, from the sums of the samples with each polynomial. */
struct oro_fitted {
    float level, slope, bend;
};
ORO_INLINE struct oro_fitted oro_fitted(const struct oro_parabola *line, float one, float straight,
                                        float bent)
{
    int count = line->last - line->first + 1;
    float per_straight = count > 1 ? 1 / line->norms[1] : 0, per_bent = count > 2 ? 1 / line->norms[2] : 0;
    float level = one / line->norms[0], slope = straight * per_straight, bend = bent * per_bent;
    return (struct oro_fitted){
        level - slope * line->middle,
        (slope - bend * (2 * line->middle + line->skew)) / line->metres,
        2 * bend / (line->metres * line->metres),
    };
}

#endif
