/* How the rasters of a graph fit a device: whole, or in tiles, and then in which. */
#ifndef ORO_CLI_ENGINE_FIT_H
#define ORO_CLI_ENGINE_FIT_H

#include "cli/engine/graph.h"

struct cli_fit {
    size_t memory_bytes; /* of the device */
    int whole, tile;     /* as given, cells along a side; 0: not given */
    bool always;         /* in tiles what is larger than `whole`, though it may fit */
    bool never;          /* the device keeps rasters whole */
    int ranks;           /* that share the tiles; 0: 1 */
};

/* Plans what is wanted. In tiles, they are as large as suits the memory, unless their size is given, and
 * halos are deeper where tiles do not fit the device. `options` gets the memory and how rasters are cut. */
struct oro_plan *cli_fit_plan(const struct cli_graph *graph, const struct cli_fit *fit,
                              struct oro_plan_options *options, struct oro_device *device,
                              struct oro_error *err);
/* How rasters are cut to begin with. */
struct oro_plan_spread cli_fit_spread(const struct cli_fit *fit);

#endif
