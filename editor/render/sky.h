/*
 * The light of sun and sky: one scattering of sunlight in a round atmosphere, to which light scattered more
 * often is added roughly. From it come the sky that is seen, the light that falls on the ground, and the
 * colour of distant haze, so that all of them agree. No OpenGL here; some milliseconds of work.
 */
#ifndef ED_RENDER_SKY_H
#define ED_RENDER_SKY_H

#include "editor/render/look.h"

enum { ED_SKY_COLUMNS = 32, ED_SKY_ROWS = 24 };

/* Linear colours, exposed: 1 is about white. */
struct ed_sky {
    /* Columns: the angle from the sun's azimuth, 0..180 degrees. Rows: the square root of the angle above the
     * horizon, as a share of 90 degrees. */
    float seen[ED_SKY_ROWS][ED_SKY_COLUMNS][4];
    double sun[3];  /* what white ground that faces the sun gives back of it */
    double disc[3]; /* of the sun itself, or the moon */
    double ambient[4]
                  [3]; /* white ground of normal n gives back ambient[0] + n.x ambient[1] + ... of the sky */
    double exposure;
};
void ed_sky_make(struct ed_sky *sky, const struct ed_scene_look *look);

#endif
