/*
 * Inside formats/: OpenEXR through the C interface of its library. Memory, files and errors stay those of
 * this program: the library gets oro_alloc and streams that are open already, and what it says goes into an
 * error.
 */
#ifndef ORO_FORMATS_EXR_EXR_H
#define ORO_FORMATS_EXR_EXR_H

#include <openexr.h>

#include "base/memory.h"
#include "formats/codec.h"
#include "formats/format.h"

/* What our files say in their header, besides what OpenEXR asks for. */
#define ORO_EXR_CHANNEL "orograph:channel" /* text: the channel that holds the heights */
#define ORO_EXR_CELL "orograph:cell"       /* double: metres */
#define ORO_EXR_MINIMUM "orograph:minimum" /* double: the least and the greatest height of the ground */
#define ORO_EXR_MAXIMUM "orograph:maximum"
#define ORO_EXR_CRS "orograph:crs" /* text; with it two doubles, as in struct oro_place */
#define ORO_EXR_WEST "orograph:west"
#define ORO_EXR_NORTH "orograph:north"

/* The channel of heights, unless ORO_EXR_CHANNEL or the writer names another. */
#define ORO_EXR_HEIGHT "height"

/* Calls the next function of the library unless one before has failed. */
#define ORO_EXR_THEN(result, call) ((result) = (result) == EXR_ERR_SUCCESS ? (call) : (result))

/* oro_alloc, as the library wants it. */
static inline void *oro_exr_allocate(size_t bytes)
{
    return oro_alloc(bytes, 1);
}

/* For the codec (codec.h): */
bool oro_exr_write(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                   const float *samples, struct oro_error *err);

#endif
