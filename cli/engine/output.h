/* Writing an output of a graph to a file, in the format that the file's name asks for. */
#ifndef ORO_CLI_ENGINE_OUTPUT_H
#define ORO_CLI_ENGINE_OUTPUT_H

#include "formats/format.h"
#include "formats/spread/spread_file.h"
#include "graph/plan/plan.h"
#include "graph/type/registry.h"
#include "graph/type/value.h"

/* Whether such an output (an uplift counts as a field) can be written to `path`, to be asked before the work
 * is done. Fails with ORO_E_USAGE (the format) or ORO_E_WRITE (the place). */
bool cli_output_check(const char *path, const struct oro_output *output, struct oro_error *err);

/* Writes the file, and says so on standard output: "wrote nz.png (1024 x 1024, 12.3..3180.4 m)", and for a
 * terrain also whether it drains. `world` is where the world lies
 * on Earth, `options` are for heightfields. Networks are written as GeoJSON. */
bool cli_output_write(const char *path, const struct oro_output *output, struct oro_value *value,
                      const struct oro_place *world, const struct oro_write_options *options,
                      struct oro_error *err);

/* The same by all ranks together, of a field that lies in tiles (oro_value_tiles): each writes its own.
 * `raster` is the value, `range` its range. `*done` is false where the file cannot be written so, and it has
 * to be put together. */
bool cli_output_write_tiles(const char *path, const struct oro_output *output,
                            const struct oro_spread_raster *raster, const struct oro_height_range *range,
                            const struct oro_place *world, const struct oro_write_options *options,
                            bool *done, struct oro_error *err);

/* The same as cli_output_write, and says nothing. `written` is filled for heightfields. */
bool cli_output_store(const char *path, const struct oro_output *output, struct oro_value *value,
                      const struct oro_place *world, const struct oro_write_options *options,
                      struct oro_written *written, struct oro_error *err);

/* The output that a plan's target gives: where an uplift was wanted, the field it was rasterised to. */
const struct oro_output *cli_given_output(const struct oro_plan *plan, size_t target,
                                          const struct oro_output *wanted);
/* Fills the options for writing that output: what its sidecar records, and what is required of it. `digest`
 * receives the graph's digest as text; other texts belong to the plan. `data`: the values, or the least and
 * the greatest of them, `count` in all, which tell masks. */
bool cli_output_options(const struct oro_plan *plan, size_t target, const struct oro_value *value,
                        const void *data, size_t count, char digest[ORO_HASH_TEXT],
                        struct oro_write_options *options, struct oro_error *err);
/* The path that a step has for an input; "" where it has none, or the input names no file. */
const char *cli_file_of(const struct oro_step *step, const struct oro_input *input);

/* Says on standard output whether the file written to `path` drains: "nz.png: drains", or how many
 * depressions it has and the advice of `options`. */
void cli_say_drainage(const char *path, const struct oro_write_options *options);

/* For oro_write_options.stop: whether a signal has asked to end the work. */
bool cli_stopped(void *unused);

/* A number as it is printed with so many digits, but for "-0.0". */
double cli_tidy(double value, int digits);

/* The least and the greatest of `count` numbers; both 0 where none is finite. */
void cli_range_of(const float *data, size_t count, double *low, double *high);

#endif
