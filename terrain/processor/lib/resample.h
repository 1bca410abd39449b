/* The code of gles_shaders/lib/resample.comp, also for what has no engine and for rasters whose rows come one
 * by one. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_RESAMPLE_H
#define ORO_TERRAIN_PROCESSOR_LIB_RESAMPLE_H

#include "terrain/processor/lib/resampling.h"
#include "terrain/processor/run.h"

/* What lies of the source under the cells of an axis. */
struct oro_resample_axis {
    float scale, shift; /* cells of the source in one, and before the first one */
    int cells;          /* of the source */
    bool placed;
};

struct oro_resample {
    struct oro_map field; /* the source, or so many of its rows */
    int top;              /* row of the source that is the first one of `field` */
    struct oro_resample_axis east, south;
    enum oro_resampling method;
    float *out; /* cells in rows of `width` */
    int width;
};

/* From a source of `width` x `height` cells at `values` to `to_width` x `to_height` at `out`, which cover the
 * same ground. */
struct oro_resample oro_resample_between(const float *values, int width, int height, float *out, int to_width,
                                         int to_height, enum oro_resampling method);
/* Where cells get larger: the rows of the source that row `y` of the output covers, from *first up to and
 * without *end. */
void oro_resample_rows(const struct oro_resample *resample, int y, int *first, int *end);
/* Fills the cells of a tile; `user` is the struct oro_resample. */
void oro_resample_tile(const void *user, const struct oro_tile *tile);

#endif
