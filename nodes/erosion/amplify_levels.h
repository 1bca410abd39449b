/*
 * The table of an amplification's levels, as text: a level after the other, with semicolons between. A level
 * is how many times finer it is, then what differs from the other inputs: "2; 2 iterations=30 depth=40; 4
 * detail=1.5".
 */
#ifndef ORO_NODES_EROSION_AMPLIFY_LEVELS_H
#define ORO_NODES_EROSION_AMPLIFY_LEVELS_H

#include "base/error.h"

enum { ORO_LEVELS_MAX = 12, ORO_LEVEL_KEYS = 10 };

/* What a level may set of its own: the value of an input, or what multiplies the values of some. */
extern const struct oro_level_key {
    const char *name;
    double low, high;
    bool whole, factor;
    const char *inputs[3]; /* of `amplify` and of the chain; ends with NULL */
} oro_level_keys[ORO_LEVEL_KEYS];

struct oro_amplify_level {
    int factor;                   /* 0: the level is left out */
    double value[ORO_LEVEL_KEYS]; /* in the order of oro_level_keys */
    bool given[ORO_LEVEL_KEYS];
};

/* False: the text is no such table; `err` says what is wrong with it. An empty text has no level. */
bool oro_amplify_levels_read(const char *text, struct oro_amplify_level levels[ORO_LEVELS_MAX], int *count,
                             struct oro_error *err);

#endif
