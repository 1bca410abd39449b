/*
 * Heightfields in memory, which files are read into and written from.
 */
#ifndef ORO_FORMATS_HEIGHTFIELD_H
#define ORO_FORMATS_HEIGHTFIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/log.h"
#include "base/place.h"
#include "formats/account.h"

enum {
    ORO_HEIGHTFIELD_SIDE_MAX = 32768,
    ORO_RASTER_SIDE_MAX = 131072 /* of what is read and written window by window (formats/reader/, writer/) */
};

/* Elevations in metres (or values of a mask), row-major, row 0 north. Free with oro_heightfield_free. */
struct oro_heightfield {
    int width, height;
    float *data; /* oro_alloc, width * height */
    double cell; /* metres; 0: the file did not say */
    bool metres; /* `data` is in metres: the file is a float format, or a range was given or found */
    /* Above 0.5 where there is no ground: the sea, and where the file knows nothing (formats/nodata.h). Water
     * has arrived there. oro_alloc, as large as `data`; NULL: ground everywhere. */
    float *sea;
    bool has_sea_level; /* a part of it, or all, is what lies up to a level */
    double sea_level;   /* metres */
    bool sea_inland;    /* that is so in hollows inland, too, which no border leads to */
    /* Above 0.5 where the file had a hole within the ground, whose heights are interpolated. oro_alloc; NULL:
     * nowhere. */
    float *filled;
    struct oro_place place;     /* of the file, or of the world that it was made in; unknown by default */
    struct oro_account account; /* what its file told, and what was assumed */
};
void oro_heightfield_free(struct oro_heightfield *field);

#endif
