/*
 * Inside formats/: heights that pictures carry in their colours. Terrarium: 256 R + G + B / 256 - 32768 m.
 * Terrain-RGB: (65536 R + 256 G + B) / 10 - 10000 m. Luminance: the brightness of what is only a picture
 * (ITU-R BT.709), as a level.
 */
#ifndef ORO_FORMATS_DECODE_H
#define ORO_FORMATS_DECODE_H

#include "formats/format.h"

static inline bool oro_decodes_metres(enum oro_decode decode)
{
    return decode == ORO_DECODE_TERRARIUM || decode == ORO_DECODE_TERRAIN_RGB;
}

/* A height in metres, or a level. ORO_DECODE_NONE is for greys, whose colours are equal. */
float oro_decode_colour(enum oro_decode decode, const unsigned colour[3]);

/* Refuses a picture in colours whose meaning nobody has told; `what` shows that it is one. Returns false. */
bool oro_fail_colours(const char *path, const char *what, struct oro_error *err);

#endif
