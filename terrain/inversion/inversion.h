/*
 * The uplift of a real terrain: a raster under which uplift and rivers come to balance at about its heights
 * (balance.h, Schott 2023, eq. 1).
 *
 * In balance u = k (a / 1 km^2)^m s^n - k_h lap(h). Of a terrain that drains, area and slope are known, and u
 * follows. That alone does not do: other water ways than the real ones are as good a balance, and most of
 * them are lower. So the uplift is fitted: a run to balance shows where water goes, and every cell's uplift
 * is multiplied by what the ground upstream of it lacks, again and again, first at low resolution.
 */
#ifndef ORO_TERRAIN_INVERSION_INVERSION_H
#define ORO_TERRAIN_INVERSION_INVERSION_H

#include "terrain/inversion/balance.h"

struct oro_inversion {
    struct oro_law law;
    struct oro_balance_grid grid;
    const float *terrain; /* metres, all finite */
    const float *sea;     /* cells above 0.5 are outlets; NULL: none */
    bool walls;           /* border cells are no outlets */
    double smooth;        /* of the terrain: deviation of a Gaussian, cells */
    double even;          /* the same of the uplift's logarithm */
    int iterations;       /* runs to balance at every resolution; 0: the uplift is not fitted */
    uint32_t seed;
    /* Told after every run; false ends the work with ORO_E_CANCELLED. Or NULL. */
    bool (*progress)(void *user, int done, int all);
    bool (*stop)(void *user);
    void *user;
};

/* How well a terrain agrees with another. */
struct oro_agreement {
    double mean[2], highest[2]; /* of the terrain, of the other */
    double lowest;              /* of the other */
    double correlation;         /* with the other, blurred by 2 cells */
};

/* The results: arrays of the grid's size, which the caller allocates. */
struct oro_inverted {
    float *uplift; /* metres a year, >= 0 */
    float *base;   /* elevation of the outlets, and the ground to start on: see oro_balance.base */
    float *height; /* what the uplift comes to; without runs, the terrain that was wanted */
    struct oro_agreement agreement; /* of the last run with the terrain, if there was one */
};

/* The bits do not depend on how many processors there are. Fails with ORO_E_MEMORY, ORO_E_CANCELLED, or as
 * oro_ground_check. */
bool oro_invert(const struct oro_inversion *inversion, struct oro_inverted *out, struct oro_error *err);

/* Bytes that oro_invert takes for each cell at the most, besides its inputs and results. */
enum { ORO_INVERSION_BYTES_A_CELL = 192 };

/* A terrain that others are compared with. */
struct oro_model {
    size_t cells;
    float *smooth; /* blurred by 2 cells */
    double mean, mean_smooth, highest, lowest;
};
bool oro_model_make(const struct oro_balance_grid *grid, const float *terrain, struct oro_model *model,
                    struct oro_error *err);
void oro_model_free(struct oro_model *model);
struct oro_agreement oro_model_compare(const struct oro_model *model, const float *height);
/* The same for one comparison. */
bool oro_agree(const struct oro_balance_grid *grid, const float *height, const float *terrain,
               struct oro_agreement *out, struct oro_error *err);
/* A Gaussian of this deviation, in cells; beyond the edges the field goes on as it is there. `out` may be
 * `field`. */
bool oro_inversion_blur(const struct oro_balance_grid *grid, const float *field, double deviation, float *out,
                        struct oro_error *err);

#endif
