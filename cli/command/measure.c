/* orograph measure: measures a heightfield, whatever made it. */
#include "cli/command/measure.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/command/measure_tiles.h"
#include "cli/report/console.h"
#include "cli/report/plot.h"
#include "formats/nodata.h"
#include "formats/sidecar/sidecar.h"

struct measure_options {
    bool json, big_endian;
    struct cli_integer memory;
    struct cli_number nodata, low, high, cell, theta, scale, prominence, river_area;
    struct cli_extent size;
    int decode;
    const char *sea, *drainage, *plot, *against, *unit;
};

bool cli_read_range(const char *low_name, const char *high_name, const struct cli_number *low,
                    const struct cli_number *high, struct oro_read_options *options, struct oro_error *err)
{
    if (low->given != high->given)
        return oro_fail(err, ORO_E_USAGE, "--%s and --%s go together", low_name, high_name);
    if (low->given && low->value >= high->value)
        return oro_fail(err, ORO_E_USAGE, "--%s must be below --%s", low_name, high_name);
    options->has_range = low->given;
    options->low = low->value;
    options->high = high->value;
    return true;
}

bool cli_take_sea(const char *sea, const struct oro_read_options *read, struct oro_heightfield *terrain,
                  struct oro_error *err)
{
    double level;
    struct oro_heightfield mask = {0};
    struct oro_read_options as_mask = {.has_range = true,
                                       .low = 0,
                                       .high = 1,
                                       .big_endian = read->big_endian,
                                       .not_heights = true,
                                       .log = read->log};
    if (!sea)
        return true;
    if (oro_parse_number(sea, &level))
        return oro_heightfield_mark_sea(terrain, level, err);
    if (!oro_heightfield_read(sea, &as_mask, &mask, err))
        return false;
    bool ok = mask.width == terrain->width && mask.height == terrain->height;
    if (ok)
        ok = oro_heightfield_mark(terrain, mask.data, err);
    else
        oro_fail(err, ORO_E_FILE, "the sea '%s' is %d x %d, but the terrain is %d x %d", sea, mask.width,
                 mask.height, terrain->width, terrain->height);
    oro_heightfield_free(&mask);
    return ok;
}

/* Reads the drainage areas to compare with; a headerless file has the size of the terrain. */
static bool read_drainage(const struct cli_measure_request *request, const struct oro_heightfield *terrain,
                          struct oro_heightfield *drainage, struct oro_error *err)
{
    struct oro_read_options read = {
        .big_endian = request->read.big_endian, .not_heights = true, .log = request->read.log};
    if (!request->drainage)
        return true;
    if (!oro_heightfield_read(request->drainage, &read, drainage, err))
        return false;
    if (drainage->width != terrain->width || drainage->height != terrain->height)
        return oro_fail(err, ORO_E_FILE, "'%s' is %d x %d, but '%s' is %d x %d", request->drainage,
                        drainage->width, drainage->height, request->path, terrain->width, terrain->height);
    return drainage->metres || oro_fail(err, ORO_E_FILE,
                                        "'%s' has levels whose meaning nobody knows: drainage areas come in "
                                        "square metres, as .r32 or .pfm",
                                        request->drainage);
}

/* The mean of what differences of up to `most` steps make of one step. */
static double refine(const struct oro_heightfield *terrain, double step, double most)
{
    double sum = 0, steps = 0;
    for (size_t i = 1; i < (size_t)terrain->width * (size_t)terrain->height; i++) {
        double difference = fabs((double)terrain->data[i] - (double)terrain->data[i - 1]);
        double count = round(difference / step);
        sum += count <= most ? difference : 0;
        steps += count <= most ? count : 0;
    }
    return steps > 0 ? sum / steps : step;
}

/* The step that all heights are a multiple of, seen from the lowest, as those of 16 bits are; 0: there is
 * none. */
static double step_of(const struct oro_heightfield *terrain, const struct oro_measure *measure)
{
    enum { LEVELS = 65536 };
    size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    double step = measure->high - measure->low;
    for (size_t i = 1; i < cells; i++) {
        double difference = fabs((double)terrain->data[i] - (double)terrain->data[i - 1]);
        step = difference > 0 && difference < step ? difference : step;
    }
    if (!(step > 0) || (measure->high - measure->low) / step > 2 * LEVELS)
        return 0;
    for (double most = 16; most <= LEVELS; most *= 16)
        step = refine(terrain, step, most);
    for (size_t i = 0; i < cells; i++) {
        double count = ((double)terrain->data[i] - (double)terrain->data[0]) / step;
        if (fabs(count - round(count)) > 0.25)
            return 0;
    }
    return step;
}

/* On level ground nobody can tell where rivers run. Lakes are level, too, but their heights are no steps. */
static void hide_rivers(const struct oro_heightfield *terrain, struct cli_measured *measured)
{
    static const struct oro_fit unknown = {
        .factor = (double)NAN, .exponent = (double)NAN, .r2 = (double)NAN, .scatter = (double)NAN};
    struct oro_metrics *metrics = &measured->metrics;
    struct oro_realism *realism = &measured->realism.of[0];
    size_t ground = (size_t)terrain->width * (size_t)terrain->height - measured->of.sea;
    size_t flats = metrics->certificate.flats;
    double step = flats * 10 > ground ? step_of(terrain, &measured->of) : 0;
    if (!(step > 0))
        return;
    measured->hidden_by = (double)flats / (double)ground;
    measured->step = step;
    metrics->hack = metrics->slope_area = unknown;
    metrics->bin_count = metrics->sample_count = 0;
    metrics->chi_steepness = metrics->chi_r2 = (double)NAN;
    realism->concavity = realism->hack = realism->straight = realism->junction_angle = (double)NAN;
    realism->drops.ks = realism->drops.theta = realism->drops.r2 = realism->drops.scatter = (double)NAN;
    realism->drops.bin_count = 0;
    realism->drops.segments = 0;
}

bool cli_measure_field(const struct oro_heightfield *terrain, double theta, double scale,
                       const float *drainage, struct cli_measured *measured, struct oro_error *err)
{
    struct oro_ground ground = oro_heightfield_ground(terrain);
    struct oro_metrics_options options = {.cell = terrain->cell, .theta = theta, .drainage = drainage};
    *measured =
        (struct cli_measured){.metres = terrain->metres, .theta = theta > 0 ? theta : ORO_METRICS_THETA};
    measured->account = terrain->account;
    measured->realism.count = 1;
    measured->realism.known = terrain->metres && terrain->cell > 0;
    oro_measure_values(terrain, &measured->of);
    bool ok =
        oro_metrics(&ground, &options, &measured->metrics, err) &&
        oro_realism(&ground, terrain->cell > 0 ? terrain->cell : 1, scale, &measured->realism.of[0], err);
    if (ok)
        hide_rivers(terrain, measured);
    return ok;
}

static bool show(const struct cli_measure_request *request, struct cli_measured *measured,
                 const struct oro_place *place, struct oro_error *err)
{
    struct oro_facts facts;
    if (request->device && !oro_sidecar_read(request->path, NULL, &facts, err))
        return false;
    measured->path = request->path;
    measured->device = request->device ? facts.device : NULL;
    measured->place = place;
    measured->drainage = request->drainage;
    if (request->json)
        return cli_measure_json(measured, err);
    cli_measure_text(measured);
    return true;
}

static bool measure(const struct cli_measure_request *request, const struct oro_heightfield *terrain,
                    const struct oro_heightfield *drainage, struct oro_error *err)
{
    struct cli_measured measured;
    if (!cli_measure_field(terrain, request->theta, request->scale, drainage->data, &measured, err))
        return false;
    if (request->plot && !cli_plot_metrics(request->plot, &measured.metrics, &measured.realism.of[0].drops,
                                           measured.of.cell > 0, err))
        return false;
    return show(request, &measured, &terrain->place, err);
}

static bool measure_whole(const struct cli_measure_request *request, struct oro_error *err)
{
    struct oro_heightfield terrain = {0}, drainage = {0};
    struct oro_read_options read = request->read;
    read.no_sea = request->sea;
    bool ok = oro_heightfield_read(request->path, &read, &terrain, err);
    ok = ok && cli_take_sea(request->sea, &request->read, &terrain, err) &&
         read_drainage(request, &terrain, &drainage, err) && measure(request, &terrain, &drainage, err);
    oro_heightfield_free(&terrain);
    oro_heightfield_free(&drainage);
    return ok;
}

bool cli_measure_file(const struct cli_measure_request *request, struct oro_error *err)
{
    struct cli_measured measured;
    struct oro_place place = {0};
    bool done;
    if (request->plot && !cli_plot_check(request->plot, err))
        return false;
    if (!cli_measure_tiles(request, &measured, &place, &done, err))
        return false;
    bool ok = done ? show(request, &measured, &place, err) : measure_whole(request, err);
    oro_free(place.crs);
    return ok;
}

/* Refuses options that mean nothing for the kind of measuring that was asked for. */
static bool check_options(const struct measure_options *options, struct oro_error *err)
{
    if (options->against && (options->theta.given || options->drainage || options->plot || options->sea))
        return oro_fail(err, ORO_E_USAGE, "--theta, --sea, --drainage and --plot do not go with --against");
    if (!options->against && (options->prominence.given || options->river_area.given))
        return oro_fail(err, ORO_E_USAGE, "--prominence and --river-area go with --against");
    return true;
}

static int run_measure(const void *parsed, char *const *arguments, int count)
{
    (void)count;
    const struct measure_options *options = parsed;
    struct cli_measure_request request = {.path = arguments[0],
                                          .read = {.width = options->size.width,
                                                   .height = options->size.height,
                                                   .big_endian = options->big_endian,
                                                   .cell = options->cell.value,
                                                   .unit = options->unit,
                                                   .has_nodata = options->nodata.given,
                                                   .nodata = options->nodata.value,
                                                   .decode = (enum oro_decode)options->decode,
                                                   .log = &cli_log},
                                          .cell = options->cell.value,
                                          .theta = options->theta.value,
                                          .sea = options->sea,
                                          .scale = options->scale.value,
                                          .drainage = options->drainage,
                                          .plot = options->plot,
                                          .json = options->json,
                                          .against = options->against,
                                          .prominence = options->prominence.value,
                                          .river_area = options->river_area.value};
    struct oro_error err = {0};
    cli_take_memory(&options->memory);
    if (!check_options(options, &err) ||
        !cli_read_range("low", "high", &options->low, &options->high, &request.read, &err) ||
        !(options->against ? cli_measure_against : cli_measure_file)(&request, &err))
        return (int)cli_fail(&err);
    return CLI_DONE;
}

#define AT(field) offsetof(struct measure_options, field)
static const struct cli_option options_table[] = {
    {"json", 0, CLI_FLAG, AT(json), .help = "Print JSON"},
    {"low", 0, CLI_NUMBER, AT(low), "M", .help = "Metres of the file's 0 (16-bit and 8-bit files)"},
    {"high", 0, CLI_NUMBER, AT(high), "M", .help = "Metres of the file's largest value"},
    {"unit", 0, CLI_TEXT, AT(unit), "U",
     .help = "Unit of the file's heights: m, ft, us-ft, km, ..., or metres of one"},
    {"nodata", 0, CLI_NUMBER, AT(nodata), "V",
     .help = "Cells of this height have none (default: what the file says, else -9999, -32768\n"
             "                              and their kin)"},
    {"sea", 0, CLI_TEXT, AT(sea), "FILE|M",
     .help = "Where the sea is: a mask, or its level in metres; water has arrived there"},
    {"cell", 0, CLI_NUMBER, AT(cell), "M", .min = 1e-6, .max = 1e6, .help = "Size of a cell in metres"},
    {"size", 0, CLI_EXTENT, AT(size), "WxH", .help = "Size of a file without a header (.r16, .raw, .r32)"},
    {"big-endian", 0, CLI_FLAG, AT(big_endian), .help = "Byte order of a file without a header"},
    CLI_DECODE_OPTION,
    {"theta", 0, CLI_NUMBER, AT(theta), "T", .min = 0.01, .max = 2,
     .help = "Concavity for chi (default 0.4, that of our erosion)"},
    {"scale", 0, CLI_NUMBER, AT(scale), "M", .min = 1e-6, .max = 1e7,
     .help = "Width of the coarse cells that detail was made from, for figures of realism (8 cells)"},
    {"drainage", 0, CLI_TEXT, AT(drainage), "FILE",
     .help = "Compare these drainage areas (square metres) with the exact ones"},
    {"plot", 0, CLI_TEXT, AT(plot), "PREFIX",
     .help = "Write PREFIX-hack.png, PREFIX-slope-area.png and PREFIX-hypsometry.png; needs gnuplot"},
    {"against", 0, CLI_TEXT, AT(against), "FILE",
     .help =
         "How far ridges and rivers lie from those of FILE, and how far both look alike; or lines, of two "
         "files of networks (.geojson, .shp, ...)"},
    {"prominence", 0, CLI_NUMBER, AT(prominence), "M", .min = 1e-6, .max = 1e6,
     .help = "With --against: of the peaks that ridges lead to (default 2 % of the relief)"},
    {"river-area", 0, CLI_NUMBER, AT(river_area), "M2", .min = 1e-6, .max = 1e15,
     .help = "With --against: drainage area where rivers begin (default 100 cells)"},
    CLI_MEMORY_OPTION,
    {0},
};
#undef AT

const struct cli_command cli_measure = {
    .name = "measure",
    .arguments = "HEIGHTFIELD",
    .summary = "Measures a heightfield: range, drainage, laws of rivers, realism",
    .help = "A pit is a cell inside the border with no lower neighbour; a flat is a pit with an equal one.\n"
            "Example: orograph measure alps.png --low 0 --high 4200 --cell 25\n",
    .options = options_table,
    .options_size = sizeof(struct measure_options),
    .least = 1,
    .most = 1,
    .run = run_measure,
};
