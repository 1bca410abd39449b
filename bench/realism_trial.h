/* A terrain at hand, and the ways that it is brought back by: for bench/realism*.c alone. */
#ifndef ORO_BENCH_REALISM_TRIAL_H
#define ORO_BENCH_REALISM_TRIAL_H

#include "bench/realism.h"
#include "formats/format.h"

struct trial {
    struct bench *bench;
    struct bench_realism *result;
    struct oro_heightfield coarse;
    char file[64]; /* that `coarse` was written to */
    int seed;      /* of the world */
    int way;       /* that comes next */
};

/* Runs the ways that were asked for with the trial's seed, and measures them. */
bool bench_realism_ways(struct trial *trial, struct oro_error *err);

/* Measures what came out of a way, beside what earlier seeds gave. Takes `z`, which may be NULL after a
 * failure. */
bool bench_realism_take(struct trial *trial, const char *name, bool ours, float *z, double seconds,
                        struct oro_error *err);

/* Changes `z`, of the truth's size, so that the means of its coarse cells come to be those of the coarse
 * terrain: as many times, what they lack is added, by Catmull and Rom between the middles of the cells
 * (back-projection, Irani and Peleg 1991). */
bool bench_realism_project(const struct trial *trial, float *z, int sweeps, struct oro_error *err);

/* What the coarse terrain's spectrum lets expect of finer detail: by how much each octave is weaker than the
 * one above it, and the rms of R/2..R. */
bool bench_realism_roughness(const struct trial *trial, double *gain, double *rms, struct oro_error *err);
/* Adds noise to `z`: as much as that lacks of an rms in R/2..R. */
bool bench_realism_roughen(const struct trial *trial, float *z, const float *noise, double rms,
                           struct oro_error *err);

#endif
