/* Several outputs of a graph in one file (.exr), as channels that are named after them. */
#ifndef ORO_CLI_ENGINE_CHANNELS_H
#define ORO_CLI_ENGINE_CHANNELS_H

#include "cli/engine/graph.h"
#include "formats/format.h"
#include "graph/type/value.h"

/* An output that -o writes. */
struct cli_wanted {
    const char *name; /* as it was asked for; the output's own where nothing was */
    struct oro_output output;
};

/* Wants the outputs of a list, "terrain,erosion.flow"; NULL: the only output of the interface; then those of
 * `more`, or none. The graph's targets are then those of `wanted`, in the same order, which lives as long as
 * the graph; `count` of them are the list's. */
bool cli_want_list(struct cli_graph *graph, const char *list, const char *more,
                   const struct cli_wanted **wanted, size_t *count, struct oro_error *err);

/* Whether these outputs can be written to one file: the same as cli_output_check, for several. */
bool cli_channels_check(const char *path, const struct cli_wanted *wanted, size_t count,
                        struct oro_error *err);
/* Whether they have one size, which the plan knows. Fails with ORO_E_USAGE. */
bool cli_channels_fit(const char *path, const struct cli_wanted *wanted, size_t count,
                      const struct oro_plan *plan, struct oro_error *err);

/* Writes the first `count` targets of the plan, and says so. What is measured, and drained, is the first that
 * is a terrain. `given` tells how the file is written; the rest of it follows from the plan. */
bool cli_channels_write(const char *path, const struct cli_wanted *wanted, size_t count,
                        const struct oro_plan *plan, struct oro_value *const *values,
                        const struct oro_write_options *given, struct oro_error *err);

#endif
