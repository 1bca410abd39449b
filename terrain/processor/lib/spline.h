/* Cubic B-splines over a raster: gles_shaders/lib/spline.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_SPLINE_H
#define ORO_TERRAIN_PROCESSOR_LIB_SPLINE_H

#include "terrain/processor/run.h"

/* `count` cells of row y, from column x on. Beyond an edge they go on as turned about the edge's own. Where
 * they are, or made in `scratch`. */
const float *oro_turned_row(const struct oro_map *terrain, int x, int y, int count, float *scratch);

#endif
