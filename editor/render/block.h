/*
 * The block of terrain in the space of the shaders: cells from the centre of cell (0, 0), east, south and up;
 * heights above the block's lowest.
 */
#ifndef ED_RENDER_BLOCK_H
#define ED_RENDER_BLOCK_H

#include "editor/render/scene.h"

struct ed_block {
    const struct ed_picture *ground;
    struct oro_grid grid; /* of the ground as it is on the card: all that follows is in these cells */
    double stretch;       /* exaggeration */
    double scale, rise;   /* cells upwards = metres of the ground * scale + rise */
    double base, top;     /* cells upwards */
    double radius;        /* of the sphere around it, cells */
};
void ed_block_of(struct ed_block *block, const struct ed_scene_rasters *rasters,
                 const struct ed_scene_look *look);
/* A place in metres (already stretched) in that space. */
void ed_block_place(const struct ed_block *block, const double metres[3], double cells[3]);
/* Towards the sun; the same in both spaces. */
void ed_sun_direction(double azimuth, double altitude, double towards[3]);

#endif
