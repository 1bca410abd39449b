/* What memory and time a graph takes, and how many ranks of orograph-mpi, as `orograph info` tells
 * beforehand. */
#ifndef ORO_CLI_COMMAND_INFO_MEMORY_H
#define ORO_CLI_COMMAND_INFO_MEMORY_H

#include <jansson.h>

#include "cli/engine/fit.h"
#include "graph/eval/pace.h"

struct cli_memory_request {
    const char *device;  /* as for render; NULL: the best */
    size_t memory_bytes; /* as if the device had so much, and no device is asked; 0: what it has */
    int whole, tile;     /* cells along a side; 0: not given */
};

struct cli_memory_answer {
    char device[256];           /* its name, or "" */
    size_t memory_bytes;        /* of it */
    size_t whole_bytes;         /* of the device, with all rasters whole */
    bool whole;                 /* that is how `render` does it */
    struct oro_error tiles_err; /* why it cannot be done in tiles; no text: it can */
    struct oro_plan_spread spread;
    size_t least_bytes, peak_bytes, tile_bytes, host_bytes; /* in tiles, by one rank: see struct oro_plan */
    bool out_of_core;
    struct oro_forecast time; /* on the device, with nothing stored; without one, of no step */
    int ranks; /* with so many, each with a device of `memory_bytes`, no tile has to leave it; 0: with none */
};

/* `plan` has all rasters whole; `options` are those that it was made with. */
bool cli_memory_ask(const struct cli_graph *graph, const struct oro_plan *plan,
                    const struct oro_plan_options *options, const struct cli_memory_request *request,
                    struct cli_memory_answer *answer, struct oro_error *err);
void cli_memory_print(const struct cli_memory_answer *answer);
json_t *cli_memory_json(const struct cli_memory_answer *answer);

#endif
