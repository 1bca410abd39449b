/*
 * Bands of a picture in depth.
 * Threads: the window's, with its context current.
 */
#ifndef ED_VIEW_SCENE_PASS_H
#define ED_VIEW_SCENE_PASS_H

#include "base/error.h"
#include "editor/render/changed.h"
#include "editor/render/light.h"
#include "editor/render/sky.h"

struct ed_scene_program {
    unsigned program, palettes, sky_seen;
    struct ed_sky sky;
    struct ed_key sky_key; /* what it was made for */
};
bool ed_scene_program_create(struct ed_scene_program *program, struct oro_error *err);
void ed_scene_program_free(struct ed_scene_program *program);

/* The input of a band. */
struct ed_scene_view {
    const struct ed_scene_rasters *rasters;
    const struct ed_scene_look *look;
    const struct ed_camera *camera;
    const struct ed_block *block;
    const struct ed_light *light;
    const struct ed_part *part;
    bool fine;        /* with all that is expensive */
    double scale;     /* its pixels for one that is drawn */
    double jitter[2]; /* of the rays, drawn pixels */
};
/* Draws into the bound framebuffer; what is drawn is limited by the scissor. */
void ed_scene_band(struct ed_scene_program *program, const struct ed_scene_view *view);
/* The colours of the background, where there is no ground, at its top and bottom. sRGB. */
void ed_scene_background(const struct ed_scene_look *look, double top[3], double bottom[3]);

#endif
