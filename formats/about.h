/* What a file tells of itself before its cells are read. */
#ifndef ORO_FORMATS_ABOUT_H
#define ORO_FORMATS_ABOUT_H

#include "formats/heightfield.h"

struct oro_reader_about {
    struct oro_heightfield field;  /* sides, cell, place, unit, the level of the sea, account; no values */
    int block_width, block_height; /* cells that are read together */
    bool holes;                    /* the file can say that cells have no height */
};

#endif
