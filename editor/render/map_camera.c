#include <math.h>

#include "editor/render/map.h"

/* Margin around the picture. */
static const double margin = 1.06;

void ed_map_fit(struct ed_map_camera *camera, const struct oro_grid *grid, int width, int height)
{
    double across = grid->width * grid->cell, down = grid->height * grid->cell;
    camera->x = grid->x + across / 2;
    camera->y = grid->y + down / 2;
    camera->metres_per_pixel = margin * fmax(across / fmax(width, 1), down / fmax(height, 1));
    if (!(camera->metres_per_pixel > 0))
        camera->metres_per_pixel = 1;
}

void ed_map_to_world(const struct ed_map_camera *camera, int width, int height, double px, double py,
                     double *x, double *y)
{
    *x = camera->x + (px - width / 2.0) * camera->metres_per_pixel;
    *y = camera->y + (py - height / 2.0) * camera->metres_per_pixel;
}

void ed_map_to_pixel(const struct ed_map_camera *camera, int width, int height, double x, double y,
                     double *px, double *py)
{
    *px = (x - camera->x) / camera->metres_per_pixel + width / 2.0;
    *py = (y - camera->y) / camera->metres_per_pixel + height / 2.0;
}
