/*
 * What `orograph lock` keeps of one result of a node: a digest, which tells whether another one is the same,
 * and a summary, which tells by how much it differs at least.
 */
#ifndef ORO_CLI_ENGINE_LOCKED_H
#define ORO_CLI_ENGINE_LOCKED_H

#include "base/text.h"
#include "cli/report/json.h"
#include "graph/type/node.h"
#include "graph/type/value.h"

/* Of rasters: single cells, evenly spread, and the means of as many blocks, by rows. */
enum { CLI_LOCKED_SIDE = 6, CLI_LOCKED_CELLS = CLI_LOCKED_SIDE * CLI_LOCKED_SIDE };

struct cli_locked {
    const char *name; /* of the output */
    struct oro_hash digest;
    double bytes;
    int width, height; /* of rasters; 0: what follows is not known */
    double cell;
    double low, high, mean;
    float samples[CLI_LOCKED_CELLS], means[CLI_LOCKED_CELLS];
};

/* Of rasters with several channels, samples and blocks are of the first. */
bool cli_locked_of(const struct oro_output *output, struct oro_value *value, struct cli_locked *locked,
                   struct oro_error *err);

json_t *cli_locked_json(const struct cli_locked *locked);
/* False: the object is none that cli_locked_json made. `name` must outlive `locked`. */
bool cli_locked_take(const json_t *object, const char *name, struct cli_locked *locked);

/* Keeps a whole result as a file of a folder, named after its digest, and gets it back: the caller frees.
 * NULL: it is not there. */
bool cli_locked_keep(const char *folder, const struct cli_locked *locked, struct oro_value *value,
                     struct oro_error *err);
void *cli_locked_kept(const char *folder, const struct cli_locked *locked);

/* Says by how much a result differs from what was kept of an earlier one: "by at least 3.2 m (column 12, row
 * 40), ...". `before`: the cells of the earlier one where they are known, which tell all; else NULL. */
void cli_locked_difference(const struct cli_locked *was, const struct cli_locked *is, const float *before,
                           const float *after, const char *unit, struct oro_text *text);

#endif
