/*
 * Keeps work on the graphics card within a time limit: says how many units (pixels, texels) of a job fit,
 * from measuring its last pieces with fences. Use one for every kind of job.
 */
#ifndef ED_RENDER_PACE_H
#define ED_RENDER_PACE_H

#include <stdbool.h>

struct ed_pace {
    void *fence;      /* of a piece that was not finished in time */
    double began;     /* seconds, when that piece was handed over */
    double handed;    /* units of it */
    double unit_cost; /* seconds, smoothed; 0: not known yet */
};

/* Waits until `deadline` (oro_now) for the running piece. False: it still runs; hand over no more. */
bool ed_pace_ready(struct ed_pace *pace, double deadline);
/* How many units fit before the deadline: at least `least`, at most `most`. */
double ed_pace_units(const struct ed_pace *pace, double deadline, double least, double most);
/* Call these before and after a piece. The end waits for it, but not beyond the deadline. */
void ed_pace_begin(struct ed_pace *pace);
void ed_pace_end(struct ed_pace *pace, double units, double deadline);
void ed_pace_free(struct ed_pace *pace);

#endif
