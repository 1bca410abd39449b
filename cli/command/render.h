/* The work of `orograph render`, for a program of many processes (devices/mpi/). */
#ifndef ORO_CLI_COMMAND_RENDER_H
#define ORO_CLI_COMMAND_RENDER_H

#include "graph/type/ranks.h"

/* As cli_render.run, by all `ranks` together: collective. Rank 0 prints, and writes files, the report and the
 * cache. Returns the exit code, which is the same on all. NULL: this process alone. */
int cli_render_by(const void *options, char *const *arguments, struct oro_ranks *ranks);

#endif
