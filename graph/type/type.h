/* The types of inputs and outputs (design, section 2), and units. */
#ifndef ORO_GRAPH_TYPE_TYPE_H
#define ORO_GRAPH_TYPE_TYPE_H

enum oro_type {
    ORO_NONE = 0,
    ORO_ANY, /* any type: an output of this type gives what the node's first such input takes */
    /* Carried by links. */
    ORO_FIELD,   /* scalar raster, float32 */
    ORO_VECTOR,  /* two-channel raster */
    ORO_IMAGE,   /* four-channel colour raster: red, green, blue, alpha in 0..1, sRGB-encoded */
    ORO_UPLIFT,  /* an expression over the plane, no raster: terrain/uplift/uplift.h. Where an input takes a
                  * field, an  uplift may be linked as well: it is rasterised at the node's size */
    ORO_NETWORK, /* polylines: terrain/network/network.h. Also has a literal, "x y, x y; ..." */
    /* Literals. ORO_FLOAT also accepts a field when the input is flagged `map`. */
    ORO_FLOAT,
    ORO_INT,
    ORO_BOOL,
    ORO_CHOICE, /* one of a list of words */
    ORO_TEXT,
    ORO_FILE,     /* a path, relative to the document */
    ORO_COLOUR,   /* "#rrggbb" or "#rrggbbaa" */
    ORO_POINT,    /* "x y", metres */
    ORO_PROFILE,  /* a 1-D curve: "x0 y0, x1 y1, ...", x rising */
    ORO_GRADIENT, /* colours along a line: "0 #204020, 1 #ffffff", positions rising */
};

enum oro_unit {
    ORO_NO_UNIT = 0,
    ORO_METRE,
    ORO_SQUARE_METRE,
    ORO_DEGREE,
    ORO_PERCENT,
    ORO_CELL,
    ORO_PER_METRE,
    ORO_METRE_PER_YEAR,
    ORO_YEAR,
    ORO_SECOND,
    ORO_ID, /* numbers that name things: neither larger nor smaller, and never to be interpolated */
    ORO_UNIT_COUNT,
};

#endif
