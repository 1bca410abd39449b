/* What `orograph measure` was asked for, what it measured, and how that is shown. */
#ifndef ORO_CLI_REPORT_MEASURED_H
#define ORO_CLI_REPORT_MEASURED_H

#include <jansson.h>

#include "formats/format.h"
#include "terrain/realism/realism.h"

struct cli_measure_request {
    const char *path;
    struct oro_read_options read;
    double cell;          /* metres, replaces the file's own; 0: the file's own */
    double theta;         /* of chi; 0: the default */
    const char *sea;      /* its level in metres, or a raster that is above 0.5 there; or NULL */
    double scale;         /* R of the figures of realism, metres; 0: the default */
    const char *drainage; /* a raster of drainage areas to compare, or NULL */
    const char *plot;     /* PREFIX of pictures to write, or NULL */
    bool json;
    bool device;                   /* also which kind of device the file is from, as its sidecar says */
    const char *against;           /* another heightfield or network to compare with, or NULL */
    double prominence, river_area; /* for `against`: where ridges and rivers begin; 0: the defaults */
};

/* Bytes a cell that measuring the whole takes: the raster, exact ways, what is carved, areas and lengths. */
enum { CLI_MEASURE_CELL_BYTES = 34 };

/* Figures of realism, of one terrain or of two. */
struct cli_realism {
    bool known; /* heights and cells are in metres */
    int count;  /* of terrains */
    struct oro_realism of[2];
    struct oro_realism_difference difference; /* of the first to the second */
};
void cli_realism_text(const struct cli_realism *realism);
/* Adds the member "realism". */
void cli_realism_json(json_t *object, const struct cli_realism *realism);

/* What was measured. */
struct cli_measured {
    const char *path;
    const char *device;            /* that computed it, as its sidecar says; "" or NULL: unknown */
    const struct oro_place *place; /* of the terrain, or NULL */
    struct oro_account account;    /* what its file told, and what was assumed */
    bool metres;                   /* heights are in metres, else 0..1 */
    struct oro_measure of;         /* its `drainage` is empty: `metrics` has it */
    struct oro_metrics metrics;
    struct cli_realism realism; /* its `of` is filled in any case: in cells where nobody knows their size */
    double theta;
    const char *drainage; /* as in the request */
    /* Where more than a tenth of the ground is level, and heights are steps: how much, 0..1, and the step.
     * Water crosses it in a way that the heights do not tell, so that the figures of rivers are not filled
     * (NaN). */
    double hidden_by, step;
    bool by_tiles; /* only `of`, the certificate and the hypsometry are filled: the whole has no room */
};
void cli_measure_text(const struct cli_measured *measured);
bool cli_measure_json(const struct cli_measured *measured, struct oro_error *err);
/* The JSON object of `orograph measure`; the caller releases it (json_decref). NULL: memory is out. */
json_t *cli_measured_object(const struct cli_measured *measured);

#endif
