/*
 * The texture of light over the ground: how much each place sees of the sun (red) and of the sky (green). It
 * is made in bands: first a coarse one, which is there soon, then the fine one.
 * Threads: the window's, with its context current.
 */
#ifndef ED_RENDER_LIGHT_H
#define ED_RENDER_LIGHT_H

#include "base/error.h"
#include "editor/render/block.h"

struct ed_light;
struct ed_light *ed_light_create(struct oro_error *err);
/* As fine as the ground from now on, however long that takes. */
void ed_light_take_time(struct ed_light *light);
void ed_light_destroy(struct ed_light *light);
/* Goes on making it until `deadline` (oro_now). True: the fine light for this ground and this sun is
 * finished. */
bool ed_light_step(struct ed_light *light, const struct ed_raster *ground, const struct ed_block *block,
                   const struct ed_scene_look *look, double deadline);
/* Whether the newest finished light is of this ground, whatever the sun. */
bool ed_light_fits(const struct ed_light *light, const struct ed_raster *ground);
/* Forgets the light: none is better than that of another ground. */
void ed_light_drop(struct ed_light *light);
/* The newest finished texture, or 0; and a number that rises when it changes. */
unsigned ed_light_texture(const struct ed_light *light);
double ed_light_serial(const struct ed_light *light);
/* Estimated seconds of work left. */
double ed_light_left(const struct ed_light *light);

#endif
