/* Shared by the files of the fit: one resolution of it. */
#ifndef ORO_TERRAIN_INVERSION_FIT_PRIVATE_H
#define ORO_TERRAIN_INVERSION_FIT_PRIVATE_H

#include "terrain/inversion/inversion.h"

struct oro_inversion_fit {
    const struct oro_inversion *all;
    struct oro_balance_grid grid;
    size_t cells;
    struct oro_model model; /* the terrain as it is */
    float *terrain;         /* what heights are to be */
    float *sea;             /* or NULL */
    float *base;            /* what the next run starts on */
    float *lift, *uplift;   /* logarithm of the uplift before it is evened; the uplift */
    struct oro_balanced now;
    uint32_t *order, *outlet, *donors; /* order: every cell before its receiver */
    double *wanted, *there;            /* sums upstream of heights above the outlet */
    float *spare;                      /* holds nothing for long */
    /* The run that agreed best so far. */
    float *best_uplift, *best_base, *best_height;
    struct oro_agreement best;
    double misfit;
};

/* The terrain to meet, and the first guess at its uplift. */
bool oro_fit_begin(struct oro_inversion_fit *fit, struct oro_error *err);
/* Changes `lift` by what the last run shows. `strength`: share of what is wrong that is mended at once. */
void oro_fit_correct(struct oro_inversion_fit *fit, double strength);
/* Lowers the uplift around what stands above the highest peak that is wanted: so widely that the uplift stays
 * even, since rivers find every gap in it. */
void oro_fit_lower(struct oro_inversion_fit *fit, const struct oro_agreement *agreement);
/* The same, and what the mean lacks: moves few rivers. */
void oro_fit_settle(struct oro_inversion_fit *fit, const struct oro_agreement *agreement);

#endif
