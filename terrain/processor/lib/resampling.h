/* How rasters are brought to other cells. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_RESAMPLING_H
#define ORO_TERRAIN_PROCESSOR_LIB_RESAMPLING_H

/* The surface through the cells where they get smaller: pass.method of the kernel. Where they get larger, all
 * are averages. */
enum oro_resampling {
    ORO_RESAMPLE_MONOTONE,    /* no lower and no higher than the four cells around */
    ORO_RESAMPLE_CATMULL_ROM, /* smooth, through the cells; overshoots beside cliffs */
    ORO_RESAMPLE_B_SPLINE,    /* smoother, beside the cells */
    ORO_RESAMPLE_BILINEAR,    /* straight between cells */
};
extern const char *const oro_resampling_words[]; /* ends with NULL */

#endif
