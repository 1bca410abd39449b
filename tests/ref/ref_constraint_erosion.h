/*
 * Constraint erosion in plain C, one cell after the other, straight from
 * terrain/hydrology/constraint_erosion.h: an oracle for hydrology/ and for the kernels. It shares no code
 * with either. Decisions by heights (receivers, saddles) are made in float32, as there; all else is in double
 * precision.
 *
 * All arrays have width * height items and are the caller's.
 */
#ifndef ORO_TESTS_REF_REF_CONSTRAINT_EROSION_H
#define ORO_TESTS_REF_REF_CONSTRAINT_EROSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ref_constraint {
    int width, height;
    double cell, reference_cell;
    bool eight, walls;
    int seed;
    float jitter, sea_level;
    double rain_loss, broad_strength, breadth, drainage_exponent, slope_exponent, gorge_strength,
        gorge_exponent;
    const float *c, *relief; /* metres; 0..1 */
    const float *moisture, *value_strength,
        *gradient_strength;   /* held within 0 and 1, moisture within 0 and 8 */
    const float *erodibility; /* and this within 0 and 100 */
};

/* Whether a cell that is its own receiver is an outlet, not a minimum. */
bool ref_constraint_outlet(const struct ref_constraint *run, const float *h, size_t cell);
/* In cells, between the nodes of two neighbours. */
float ref_constraint_distance(const struct ref_constraint *run, size_t from, size_t to);

/* ---- The steps ---- */

void ref_constraint_receivers(const struct ref_constraint *run, const float *h, uint32_t *receiver);
void ref_constraint_drainage(const struct ref_constraint *run, const uint32_t *receiver, double *drainage);
void ref_constraint_gorges(const struct ref_constraint *run, const float *h, const uint32_t *receiver,
                           const double *drainage, double *carved, double *gorge);
/* All rounds, on the ground that gorges left. */
void ref_constraint_erode(const struct ref_constraint *run, const uint32_t *receiver, const double *drainage,
                          double *ground);
/* B, of the state that the iteration began with. */
void ref_constraint_broad(const struct ref_constraint *run, const float *h, double *mean);
void ref_constraint_hold(const struct ref_constraint *run, const double *broad, const double *gorge,
                         double *ground);

/* ---- An iteration: h; the others hold what they were in it ---- */

void ref_constraint_iterate(const struct ref_constraint *run, float *h, uint32_t *receiver, double *drainage,
                            double *gorge);

#endif
