/*
 * The texture of light over the ground: how much each place sees of the sun (red) and of the sky (green). It
 * is made in bands: first a coarse one, which is there soon, then the fine one. Only for editor/view/.
 * Threads: the window's, with its context current.
 */
#ifndef ED_VIEW_LIGHT_H
#define ED_VIEW_LIGHT_H

#include "base/error.h"
#include "editor/view/block.h"

struct ed_light;
struct ed_light *ed_light_create(struct oro_error *err);
void ed_light_destroy(struct ed_light *light);
/* Goes on until `deadline` (oro_now). True: it is made for this ground and this sun, at its finest. */
bool ed_light_step(struct ed_light *light, const struct ed_raster *ground, const struct ed_block *block,
                   const struct ed_scene_look *look, double deadline);
/* Whether the newest that is whole is of this ground, whatever the sun. */
bool ed_light_fits(const struct ed_light *light, const struct ed_raster *ground);
/* Forgets it: no light is better than that of another ground. */
void ed_light_drop(struct ed_light *light);
/* The newest that is whole, or 0; and a number that rises when it is another. */
unsigned ed_light_texture(const struct ed_light *light);
double ed_light_serial(const struct ed_light *light);
/* What is left to do, seconds, as far as is known. */
double ed_light_left(const struct ed_light *light);

#endif
