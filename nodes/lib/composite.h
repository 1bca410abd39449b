/* What composites have in common: inputs that their parts share by name, and sums over parts. */
#ifndef ORO_NODES_LIB_COMPOSITE_H
#define ORO_NODES_LIB_COMPOSITE_H

#include "graph/type/node.h"

/* Gives a part those inputs of the composite that have the same names; `names` ends with NULL. */
void oro_forward_all(struct oro_build *build, int node, const char *const *names);

/* A raster within the composite; node -1: there is none yet. */
struct oro_part_output {
    int node;
    const char *output;
};

/* Adds a part's output to a sum, which takes on its resolution. `name` is that of the part that adds. */
void oro_add_to_sum(struct oro_build *build, struct oro_part_output *sum, struct oro_part_output part,
                    const char *name);

#endif
