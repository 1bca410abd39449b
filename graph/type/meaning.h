/*
 * What a value is for, beyond its type: of the many nodes that could be linked to an output, which ones to
 * offer first. Any thread.
 */
#ifndef ORO_GRAPH_TYPE_MEANING_H
#define ORO_GRAPH_TYPE_MEANING_H

#include "graph/type/node.h"

/* What outputs give, and what inputs are meant for: sets of these. */
enum oro_meaning {
    ORO_MEANS_TERRAIN = 1 << 0, /* elevation */
    ORO_MEANS_AREA = 1 << 1,    /* such as drainage */
    ORO_MEANS_FIELD = 1 << 2,   /* a mask, or any other raster */
    ORO_MEANS_VECTOR = 1 << 3,
    ORO_MEANS_IMAGE = 1 << 4,
    ORO_MEANS_NETWORK = 1 << 5,
    ORO_MEANS_UPLIFT = 1 << 6,
    ORO_MEANS_RISE = 1 << 7, /* of inputs: where an uplift becomes a terrain */
};

unsigned oro_output_means(const struct oro_output *output);
unsigned oro_input_means(const struct oro_input *input);
/* Of all outputs of a type; of all inputs that are made for links. */
unsigned oro_type_gives(const struct oro_node_type *type);
unsigned oro_type_wants(const struct oro_node_type *type);

/* How well what is given suits what is wanted: 3 where it is led to what it is for, 2 where it is meant to be
 * linked, 1 where it merely can be. */
enum { ORO_SUITS_BEST = 3 };
int oro_meaning_suits(unsigned given, unsigned wanted);

#endif
