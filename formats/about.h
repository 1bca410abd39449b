/* What a file tells of itself before its cells are read. */
#ifndef ORO_FORMATS_ABOUT_H
#define ORO_FORMATS_ABOUT_H

#include "formats/heightfield.h"

struct oro_reader_about {
    struct oro_heightfield field;  /* sides, cell, place, unit, the level of the sea; no values */
    bool has_range;                /* integer samples whose range is known */
    double low, high;              /* metres of the lowest level and of the highest */
    int block_width, block_height; /* cells that are read together */
    bool holes;                    /* the file can say that cells have no height */
};

#endif
