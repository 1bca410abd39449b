/* What `orograph measure` prints, for `orograph info` too. */
#ifndef ORO_CLI_MEASURE_H
#define ORO_CLI_MEASURE_H

#include <jansson.h>

#include "formats/format.h"

struct cli_measure_request {
    const char *path;
    struct oro_read_options read;
    double cell;          /* metres, replaces the file's own; 0: the file's own */
    double theta;         /* of chi; 0: the default */
    const char *sea;      /* its level in metres, or a raster that is above 0.5 there; or NULL */
    const char *drainage; /* a raster of drainage areas to compare, or NULL */
    const char *plot;     /* PREFIX of pictures to write, or NULL */
    bool json;
    const char *against;           /* another heightfield or network to compare with, or NULL */
    double prominence, river_area; /* for `against`: where ridges and rivers begin; 0: the defaults */
};

/* Reads both files of a request with `against`, and prints how far their lines lie apart. */
bool cli_measure_against(const struct cli_measure_request *request, struct oro_error *err);

/* Reads a heightfield and prints all that can be measured of it. */
bool cli_measure_file(const struct cli_measure_request *request, struct oro_error *err);

/* Turns --low and --high into a range: both or neither, low below high. */
struct cli_number;
bool cli_read_range(const struct cli_number *low, const struct cli_number *high,
                    struct oro_read_options *options, struct oro_error *err);

/* What is no ground: --nodata, before a file is read, and --sea, which may be NULL, after that. */
void cli_read_nodata(const struct cli_number *nodata, struct oro_read_options *options);
bool cli_take_sea(const char *sea, const struct oro_read_options *read, struct oro_heightfield *terrain,
                  struct oro_error *err);

/* What was measured, for measure_text.c and measure_json.c to show. */
struct cli_measured {
    const char *path;
    bool metres;           /* heights are in metres, else 0..1 */
    struct oro_measure of; /* its `drainage` is empty: `metrics` has it */
    struct oro_metrics metrics;
    double theta;
    const char *drainage; /* as in the request */
};
/* Measures a terrain; `drainage` may be NULL, `theta` 0. `path` and `drainage` of the result stay NULL. */
bool cli_measure_field(const struct oro_heightfield *terrain, double theta, const float *drainage,
                       struct cli_measured *measured, struct oro_error *err);
void cli_measure_text(const struct cli_measured *measured);
bool cli_measure_json(const struct cli_measured *measured, struct oro_error *err);
/* The JSON object of `orograph measure`; the caller releases it (json_decref). NULL: memory is out. */
json_t *cli_measured_object(const struct cli_measured *measured);

#endif
