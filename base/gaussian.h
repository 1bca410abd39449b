/*
 * How a Gaussian blur is cut into stages, for the kernel of nodes/filter/blur.c and for the same blur on the
 * processor.
 */
#ifndef ORO_BASE_GAUSSIAN_H
#define ORO_BASE_GAUSSIAN_H

/* Widest Gaussian of one stage, in steps of that stage, and where its tail is cut. */
enum {
    ORO_GAUSSIAN_SIGMA = 8,
    ORO_GAUSSIAN_TAIL = 4,
    ORO_GAUSSIAN_TAPS_MAX = ORO_GAUSSIAN_SIGMA * ORO_GAUSSIAN_TAIL + 1,
    ORO_GAUSSIAN_STAGES_MAX = 16,
};

/* A stage blurs by `sigma` cells, looking only at every `stride`-th cell. */
struct oro_gaussian_stage {
    int stride;
    double sigma;
};

/* Returns the number of stages; 0: `sigma` (cells) is 0 and there is nothing to do. */
int oro_gaussian_stages(double sigma, struct oro_gaussian_stage stages[ORO_GAUSSIAN_STAGES_MAX]);

/* Weights of the middle sample and of those on one side; the weights of both sides and the middle add up to
 * 1. Returns the number of weights. */
int oro_gaussian_weights(const struct oro_gaussian_stage *stage, float weights[ORO_GAUSSIAN_TAPS_MAX]);

#endif
