/*
 * Inside formats/: rasters that become smaller as their rows come, to the same bits as by
 * oro_heightfield_resize, and never are whole in memory.
 */
#ifndef ORO_FORMATS_SHRINK_H
#define ORO_FORMATS_SHRINK_H

#include <stdbool.h>

struct oro_shrink;

/* From `width` x `height` cells to `to_width` x `to_height`, which go to `out`; no side gets longer, and one
 * gets shorter. NULL: no memory. */
struct oro_shrink *oro_shrink_begin(int width, int height, int to_width, int to_height, float *out);
/* The next row, from the first to the last. */
void oro_shrink_row(struct oro_shrink *shrink, const float *row);
void oro_shrink_end(struct oro_shrink *shrink); /* NULL is allowed */

#endif
