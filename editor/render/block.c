#include "editor/render/block.h"

#include <math.h>

/* Depth of the block below the lowest ground, as a share of its longer side. */
static const double thickness = 0.045;

void ed_block_of(struct ed_block *block, const struct ed_scene_rasters *rasters,
                 const struct ed_scene_look *look)
{
    const struct ed_picture *ground = ed_raster_picture(rasters->ground);
    const struct ed_picture *water = rasters->water ? ed_raster_picture(rasters->water) : NULL;
    double stretch = look->exaggeration > 0 ? (double)look->exaggeration : 1;
    double high = (double)ground->high;
    const struct oro_grid *grid = ed_raster_grid(rasters->ground);
    double longer = oro_grid_longer(grid);
    if (look->water)
        high = fmax(high, (double)look->water_level);
    if (water)
        high = fmax(high, (double)water->high);
    *block =
        (struct ed_block){.ground = ground, .grid = *grid, .stretch = stretch, .scale = stretch / grid->cell};
    block->rise = -(double)ground->low * block->scale;
    block->base = -thickness * longer;
    block->top = high * block->scale + block->rise + 1e-3 * longer;
    block->radius = sqrt((double)grid->width * grid->width + (double)grid->height * grid->height +
                         block->top * block->top) /
                    2;
}

void ed_block_place(const struct ed_block *block, const double metres[3], double cells[3])
{
    const struct oro_grid *grid = &block->grid;
    cells[0] = (metres[0] - grid->x) / grid->cell - 0.5;
    cells[1] = (metres[1] - grid->y) / grid->cell - 0.5;
    cells[2] = metres[2] / grid->cell + block->rise;
}

void ed_sun_direction(double azimuth, double altitude, double towards[3])
{
    const double degree = 3.14159265358979323846 / 180;
    towards[0] = sin(azimuth * degree) * cos(altitude * degree);
    towards[1] = -cos(azimuth * degree) * cos(altitude * degree);
    towards[2] = sin(altitude * degree);
}
