/* Writing an output of a graph to a file, in the format that the file's name asks for. */
#ifndef ORO_CLI_OUTPUT_H
#define ORO_CLI_OUTPUT_H

#include "formats/format.h"
#include "graph/registry.h"
#include "graph/value.h"

/* Whether such an output (an uplift as a field) can be written to `path`: asked before the work is done.
 * Fails with ORO_E_USAGE (the format) or ORO_E_WRITE (the place). */
bool cli_output_check(const char *path, const struct oro_output *output, struct oro_error *err);

/* Writes the file, and says so on standard output: "wrote nz.png (1024 x 1024, 12.3..3180.4 m)"; of a terrain
 * also whether it drains. `options` are for heightfields. Networks are written as GeoJSON. */
bool cli_output_write(const char *path, const struct oro_output *output, struct oro_value *value,
                      const struct oro_write_options *options, struct oro_error *err);

/* Says on standard output whether the file that was written to `path` drains: "nz.png: drains", or how many
 * depressions it has and the advice of `options`. */
void cli_say_drainage(const char *path, const struct oro_write_options *options);

/* For oro_write_options.stop: whether a signal asked to end the work. */
bool cli_stopped(void *unused);

/* The least and the greatest of `count` numbers; both 0 where none is finite. */
void cli_range_of(const float *data, size_t count, double *low, double *high);

#endif
