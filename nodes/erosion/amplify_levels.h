/*
 * The table of an amplification's levels, as text: a level after the other, with semicolons between. A level
 * is how many times finer it is, then what differs from the other inputs: "2; 2 iterations=30 depth=40; 4
 * detail=1.5".
 */
#ifndef ORO_NODES_EROSION_AMPLIFY_LEVELS_H
#define ORO_NODES_EROSION_AMPLIFY_LEVELS_H

#include "base/error.h"

enum { ORO_LEVELS_MAX = 12 };

/* What a level may set of its own. */
enum oro_level_key {
    ORO_LEVEL_ITERATIONS,
    ORO_LEVEL_THERMAL,    /* steps */
    ORO_LEVEL_DEPOSITION, /* steps */
    ORO_LEVEL_EROSION,    /* multiplies what a step of fluvial erosion carves */
    ORO_LEVEL_SLIDES,     /* of thermal erosion moves */
    ORO_LEVEL_SEDIMENT,   /* of deposition takes up and drops */
    ORO_LEVEL_DETAIL,     /* multiplies the strength of detail */
    ORO_LEVEL_DEPTH,      /* metres */
    ORO_LEVEL_REPOSE,     /* degrees */
    ORO_LEVEL_HARDNESS,   /* 0..1 */
    ORO_LEVEL_KEYS,
};

struct oro_amplify_level {
    int factor; /* 0: the level is left out */
    double value[ORO_LEVEL_KEYS];
    bool given[ORO_LEVEL_KEYS];
};

/* False: the text is no such table; `err` says what is wrong with it. An empty text has no level. */
bool oro_amplify_levels_read(const char *text, struct oro_amplify_level levels[ORO_LEVELS_MAX], int *count,
                             struct oro_error *err);

#endif
