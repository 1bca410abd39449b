/* What `orograph measure` prints, for `orograph info` too. */
#ifndef ORO_CLI_COMMAND_MEASURE_H
#define ORO_CLI_COMMAND_MEASURE_H

#include "cli/report/measured.h"

/* Reads both files of a request with `against`, and prints how far their lines lie apart. */
bool cli_measure_against(const struct cli_measure_request *request, struct oro_error *err);

/* Reads a heightfield and prints all that can be measured of it, or of its rows and tiles (measure_tiles.h).
 */
bool cli_measure_file(const struct cli_measure_request *request, struct oro_error *err);

/* Turns --LOW and --HIGH, of these names, into a range: both or neither, low below high. */
struct cli_number;
bool cli_read_range(const char *low_name, const char *high_name, const struct cli_number *low,
                    const struct cli_number *high, struct oro_read_options *options, struct oro_error *err);

/* The row of a command's table for how pictures in colours are read. */
#define CLI_DECODE_OPTION                                                                                    \
    {                                                                                                        \
        "decode", 0, CLI_CHOICE, AT(decode),                                                                 \
            .choices = oro_decode_words,                                                                     \
            .help = "How a picture in colours is read: elevations packed into them, or its brightness"       \
    }

/* What is no ground by --sea, which may be NULL. */
bool cli_take_sea(const char *sea, const struct oro_read_options *read, struct oro_heightfield *terrain,
                  struct oro_error *err);

/* Measures a terrain; `drainage` may be NULL, `theta` and `scale` 0. `path`, `place` and `drainage` of the
 * result stay NULL. */
bool cli_measure_field(const struct oro_heightfield *terrain, double theta, double scale,
                       const float *drainage, struct cli_measured *measured, struct oro_error *err);

#endif
