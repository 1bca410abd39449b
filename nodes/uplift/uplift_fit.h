/* How strong an uplift has to be, of which only the pattern is known. */
#ifndef ORO_NODES_UPLIFT_UPLIFT_FIT_H
#define ORO_NODES_UPLIFT_UPLIFT_FIT_H

#include "graph/type/node.h"
#include "terrain/uplift/uplift.h"

#define ORO_IN_UPLIFT_FIT(params)                                                                            \
    ORO_IN_BOOL(params, fit, true, .group = "Fit",                                                           \
                .doc =                                                                                       \
                    "Finds by some runs to balance how strong the uplift has to be for the mean height of "  \
                    "`terrain`, with the defaults of `stream_power`. `uplift` counts no more then"),         \
        ORO_IN_BOOL(params, fit_peak, false, .group = "Fit",                                                 \
                    .doc =                                                                                   \
                        "With `fit`: where the highest peak would come out too high for that mean, an even " \
                        "uplift is added under the lines, and they count less, until it agrees as well"),    \
        ORO_IN_TERRAIN(                                                                                      \
                .optional = true, .group = "Fit",                                                            \
                .doc = "The terrain that the lines come from; without it, nothing is fitted. Its lowest "    \
                       "ground is where the runs begin: heights above it count")

/* The tree times what it takes for the mean height of the input `terrain`, with `peak` on so much even uplift
 * that the highest peak agrees as well, and gives the figures `fit` and `even`; without that input, the tree.
 * Takes the tree, which may be NULL. NULL: `err` is filled. */
struct oro_uplift *oro_uplift_fitted(struct oro_eval *e, bool fit, bool peak, struct oro_uplift *tree,
                                     struct oro_error *err);

#endif
