/* What `orograph measure` says, for `orograph info` too. */
#ifndef ORO_CLI_MEASURE_H
#define ORO_CLI_MEASURE_H

#include "formats/format.h"

/* Reads a heightfield and prints its size, range and hydrology; `cell` replaces the file's own if above 0. */
bool cli_measure_file(const char *path, const struct oro_read_options *options, double cell, bool json,
                      struct oro_error *err);

/* Turns --low and --high into a range: both or neither, low below high. */
struct cli_number;
bool cli_read_range(const struct cli_number *low, const struct cli_number *high,
                    struct oro_read_options *options, struct oro_error *err);

#endif
