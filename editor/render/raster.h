/*
 * A picture on the graphics card: textures that the views draw from. Uploads are cut into pieces, so that no
 * frame waits for a large one: until a new picture is whole, the old one is drawn.
 *
 * Threads: the window's, with its context current. No ImGui here.
 */
#ifndef ED_VIEW_RASTER_H
#define ED_VIEW_RASTER_H

#include "editor/live/picture.h"

struct ed_raster;
struct ed_raster *ed_raster_create(void); /* NULL: memory is out */
void ed_raster_destroy(struct ed_raster *raster);

/* Shows `picture` (NULL: nothing) from now on; retains it. Does at most `seconds` of work. True: all of it is
 * there; else call again in the next frame. */
bool ed_raster_show(struct ed_raster *raster, struct ed_picture *picture, double seconds);
/* The picture that is drawn, or NULL. */
const struct ed_picture *ed_raster_picture(const struct ed_raster *raster);
/* The cells of the textures: those of the picture, or, where the card cannot hold it, larger ones. NULL where
 * there is no texture. */
const struct oro_grid *ed_raster_grid(const struct ed_raster *raster);
/* How many cells of the picture a side go into one of the textures; 1 where nothing is reduced. */
int ed_raster_reduction(const struct ed_raster *raster);
/* Whether the card refused the picture even when it was reduced. */
bool ed_raster_refused(const struct ed_raster *raster);
/* A number that rises whenever the drawn picture changes. */
uint64_t ed_raster_serial(const struct ed_raster *raster);

/* For the renderers. A texture of 1, 2 or 4 float channels without filtering (R32F cannot be filtered in
 * OpenGL ES; shaders interpolate); what is not finite is below -1e37 in it. With one channel there are
 * pyramids as well, both padded so that each level halves the one before without a rest: of maxima, whose
 * level k holds the highest corner of 2^k x 2^k patches between the centres of cells, so that a ray above it
 * hits nothing there; and of means, whose mip level k - 1 holds the mean of 2^k x 2^k cells. 0 where there is
 * none. */
unsigned ed_raster_texture(const struct ed_raster *raster);
unsigned ed_raster_maxima(const struct ed_raster *raster);
unsigned ed_raster_means(const struct ed_raster *raster);
int ed_raster_levels(const struct ed_raster *raster); /* of the maxima; the means have one less */

#endif
