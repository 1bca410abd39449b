/* The types of inputs and outputs (design, section 2), and units. */
#ifndef ORO_GRAPH_TYPE_H
#define ORO_GRAPH_TYPE_H

enum oro_type {
    ORO_NONE = 0,
    /* Carried by links. */
    ORO_FIELD,  /* scalar raster, float32 */
    ORO_VECTOR, /* two-channel raster */
    ORO_IMAGE,  /* four-channel colour raster: red, green, blue, alpha in 0..1, sRGB-encoded */
    /* Literals. ORO_FLOAT also accepts a field when the input is flagged `map`. */
    ORO_FLOAT,
    ORO_INT,
    ORO_BOOL,
    ORO_CHOICE, /* one of a list of words */
    ORO_TEXT,
    ORO_FILE,    /* a path, relative to the document */
    ORO_COLOUR,  /* "#rrggbb" or "#rrggbbaa" */
    ORO_POINT,   /* "x y", metres */
    ORO_PROFILE, /* a 1-D curve: "x0 y0, x1 y1, ...", x rising */
};

enum oro_unit {
    ORO_NO_UNIT = 0,
    ORO_METRE,
    ORO_SQUARE_METRE,
    ORO_DEGREE,
    ORO_PERCENT,
    ORO_CELL,
    ORO_PER_METRE,
};

#endif
