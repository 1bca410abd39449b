/* orograph convert: a heightfield into another format or size. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/command/measure.h"
#include "cli/command/windows.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/output.h"
#include "cli/engine/resample.h"
#include "cli/options/deliver.h"
#include "cli/options/encoding.h"
#include "cli/options/mesh.h"
#include "cli/options/standard.h"
#include "cli/options/weights.h"
#include "cli/report/console.h"
#include "formats/sidecar/sidecar.h"

struct convert_options {
    const char *size, *sea, *crs, *window, *format, *in_format, *channel, *unit;
    struct cli_integer memory;
    struct cli_number nodata, low, high, in_low, in_high, cell;
    struct cli_extent in_size;
    int decode;
    bool allow_path, by_windows, big_endian, in_big_endian;
    struct cli_drain_options drain;
    struct cli_encoding_options encoding;
    struct cli_deliver_options deliver;
    struct cli_mesh_options mesh;
};

/* Four numbers, in the order of gdalwarp's -te. */
static bool take_window(const char *text, struct oro_map_window *window, struct oro_error *err)
{
    double edges[4];
    const char *rest = text;
    char number[ORO_NUMBER_SIZE];
    for (int i = 0; text && i < 4; i++) {
        size_t length = strcspn(rest, ",");
        bool last = rest[length] == '\0';
        snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), rest);
        if (last != (i == 3) || !oro_parse_number(number, &edges[i]))
            return oro_fail(err, ORO_E_USAGE, "--window takes WEST,SOUTH,EAST,NORTH in metres, not '%s'",
                            text);
        rest += length + 1;
    }
    if (!text)
        return true;
    *window = (struct oro_map_window){
        .given = true, .west = edges[0], .south = edges[1], .east = edges[2], .north = edges[3]};
    return (window->west < window->east && window->south < window->north) ||
           oro_fail(err, ORO_E_USAGE,
                    "--window takes WEST,SOUTH,EAST,NORTH: west below east and south below north, not '%s'",
                    text);
}

/* Levels of IN that nobody tells the range of are taken to span that of OUT. */
static bool take_ranges(const struct convert_options *options, struct oro_read_options *read,
                        struct oro_error *err)
{
    struct oro_read_options of_out;
    if (!cli_read_range("low", "high", &options->low, &options->high, &of_out, err) ||
        !cli_read_range("in-low", "in-high", &options->in_low, &options->in_high, read, err))
        return false;
    if (read->has_range || !of_out.has_range)
        return true;
    read->has_range = read->range_assumed = true;
    read->low = of_out.low;
    read->high = of_out.high;
    return true;
}

/* Finds a spelling mistake in --size before a large file is read. */
static bool check_usage(const char *out, const struct convert_options *options, struct oro_read_options *read,
                        struct oro_error *err)
{
    struct cli_extent unused;
    if (!oro_format_writable(out))
        return oro_fail(err, ORO_E_USAGE, "'%s': the file's extension must be one of %s", out,
                        oro_format_names);
    if (!cli_encoding_check(out, &options->encoding, err))
        return false;
    return cli_drain_check(&options->drain, err) && cli_mesh_check(out, &options->mesh, err) &&
           cli_choose_size(options->size, 1, 1, &unused, err) && take_ranges(options, read, err) &&
           oro_format_may_write(out, err);
}

static bool write_out(const char *out, const struct oro_heightfield *field,
                      const struct oro_write_options *write, struct oro_error *err)
{
    if (!oro_heightfield_write(out, field, write, err))
        return false;
    double low, high;
    char mesh[CLI_MESH_TEXT];
    cli_range_of(field->data, (size_t)field->width * (size_t)field->height, &low, &high);
    int digits = field->metres ? 1 : 3;
    printf("wrote %s (%d x %d, %.*f..%.*f%s%s)\n", out, field->width, field->height, digits,
           cli_tidy(low, digits), digits, cli_tidy(high, digits), field->metres ? " m" : "",
           cli_mesh_text(&write->written->mesh, mesh));
    cli_say_drainage(out, write);
    cli_deliver_say(out, field->width, field->height, write);
    return true;
}

/* A raster too large to be read whole is read with twice the cells that are wanted, since averages of whole
 * cells are better than those of parts. */
static int side_to_read(const char *size)
{
    struct cli_extent extent;
    int64_t n = 0;
    if (!size)
        return 0;
    if (cli_parse_extent(size, &extent))
        n = extent.width > extent.height ? extent.width : extent.height;
    else if (!cli_parse_integer(size, &n))
        return ORO_HEIGHTFIELD_SIDE_MAX; /* a preset is near the size that is read */
    return 2 * n < ORO_HEIGHTFIELD_SIDE_MAX ? (int)(2 * n) : ORO_HEIGHTFIELD_SIDE_MAX;
}

static struct oro_write_options write_options(const struct convert_options *options,
                                              struct oro_written *written)
{
    struct oro_write_options write = {
        .has_range = options->low.given,
        .low = options->low.value,
        .high = options->high.value,
        .big_endian = options->big_endian,
        .log = &cli_log,
        .mesh = cli_mesh_of(&options->mesh),
        .drain_advice = "--drain repair carves a way out",
        .stop = cli_stopped,
        .written = written,
    };
    cli_encoding_into(&options->encoding, &write);
    cli_drain_into(&options->drain, &write);
    return write;
}

/* A level of --sea floods what is written, and here what is read. Rasters that are no terrain do not drain.
 */
static bool keep_drained(const struct oro_heightfield *field, const struct convert_options *options,
                         struct oro_write_options *write, struct oro_error *err)
{
    struct oro_write_options flooded = *write;
    flooded.has_sea = options->sea && oro_parse_number(options->sea, &flooded.sea);
    if (!oro_drain_keep(field, &flooded, err))
        return false;
    write->drain = flooded.drain;
    write->drains_again = flooded.drains_again;
    return true;
}

/* To the size that is asked for, or that the engine takes. What drains does so afterwards, too. */
static bool resize(struct oro_heightfield *field, const struct convert_options *options,
                   const struct cli_deliver *deliver, const char *out, struct oro_write_options *write,
                   struct oro_error *err)
{
    const struct oro_engine *engine = options->size || deliver->tiled ? NULL : deliver->engine;
    const char *size = engine ? engine->preset : options->size;
    const int from[2] = {field->width, field->height};
    if ((size && !keep_drained(field, options, write, err)) ||
        !cli_resize(field, size, deliver->resampling, err))
        return false;
    oro_engine_note_stretch(engine, out, from, (const int[]){field->width, field->height}, &cli_log);
    return true;
}

/* What moves cells, or looks at all of them, cannot be done to one window after the other. */
static bool check_by_windows(const char *in, const struct convert_options *o, struct oro_error *err)
{
    const struct {
        bool given;
        const char *name;
    } whole[] = {{o->size, "--size"},
                 {o->crs, "--crs"},
                 {o->window, "--window"},
                 {o->nodata.given, "--nodata"},
                 {o->sea, "--sea"},
                 {o->channel, "--channel"},
                 {o->drain.how, "--drain"},
                 {o->drain.required, "--require-drained"},
                 {o->deliver.weights, "--weights"},
                 {o->encoding.compress, "--compress"},
                 {o->encoding.cog, "--cog"},
                 {o->mesh.texture, "--texture"}};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (whole[i].given)
            return oro_fail(
                err, ORO_E_USAGE,
                "'%s' is converted window by window, and %s needs the whole, which has at most %d "
                "cells a side: --size N or --window W,S,E,N make it so small",
                in, whole[i].name, ORO_HEIGHTFIELD_SIDE_MAX);
    return true;
}

/* Whether the raster is too large for what is done to the whole, or is not wanted in memory. */
static bool goes_by_windows(const char *in, const struct convert_options *options,
                            const struct oro_read_options *read)
{
    struct oro_read_options plain = *read;
    plain.crs = NULL;
    plain.channel = NULL;
    return options->by_windows || (!options->size && !options->window && cli_windows_needed(in, &plain));
}

static bool convert_by_windows(const char *in, const char *out, const struct convert_options *options,
                               const struct oro_read_options *read, const struct cli_deliver *deliver,
                               struct oro_error *err)
{
    struct oro_written written = {0};
    struct cli_windows windows = {
        .in = in, .out = out, .read = read, .write = write_options(options, &written)};
    cli_deliver_into(deliver, &windows.write);
    return check_by_windows(in, options, err) && cli_windows_convert(&windows, err);
}

static struct oro_read_options read_options(const struct convert_options *options)
{
    struct oro_read_options read = {.width = options->in_size.width,
                                    .height = options->in_size.height,
                                    .big_endian = options->in_big_endian,
                                    .crs = options->crs,
                                    .unit = options->unit,
                                    .cell = options->cell.value,
                                    .has_nodata = options->nodata.given,
                                    .nodata = options->nodata.value,
                                    .max_side = side_to_read(options->size),
                                    .any_path = options->allow_path,
                                    .channel = options->channel,
                                    .decode = (enum oro_decode)options->decode,
                                    .no_sea = options->sea,
                                    .stop = cli_stopped,
                                    .log = &cli_log};
    return read;
}

static bool convert(const char *in, const char *out, const struct convert_options *options,
                    struct oro_error *err)
{
    struct oro_read_options read = read_options(options);
    struct oro_heightfield field = {0};
    struct cli_deliver deliver;
    struct cli_weights weights = {0};
    void *texture = NULL;
    if (!cli_deliver_begin(&options->deliver, out, &deliver, err) || !check_usage(out, options, &read, err) ||
        !take_window(options->window, &read.window, err))
        return false;
    if (goes_by_windows(in, options, &read))
        return convert_by_windows(in, out, options, &read, &deliver, err);
    if (!oro_heightfield_read(in, &read, &field, err))
        return false;
    struct oro_written written = {0};
    struct oro_write_options write = write_options(options, &written);
    cli_deliver_into(&deliver, &write);
    int width = field.width, height = field.height;
    bool ok =
        !options->mesh.texture || cli_mesh_texture(options->mesh.texture, &texture, &write.mesh.texture, err);
    /* A level floods what is written, so that whoever reads it finds the same sea; a mask is as large as IN.
     */
    double level;
    bool by_level = options->sea && oro_parse_number(options->sea, &level);
    ok = ok && (by_level || cli_take_sea(options->sea, &read, &field, err)) && cli_interrupt_none(err) &&
         resize(&field, options, &deliver, out, &write, err) &&
         (!by_level || cli_take_sea(options->sea, &read, &field, err)) && cli_interrupt_none(err) &&
         (!options->deliver.weights ||
          cli_weights_read(&weights, options->deliver.weights, field.width, field.height, &cli_log, err));
    write.weights = options->deliver.weights ? &weights.weights : NULL;
    write.keeps_none = !options->sea && !field.has_sea_level;
    cli_choose_range(&field, field.width != width || field.height != height, &write);
    ok = ok && write_out(out, &field, &write, err);
    if (ok && options->low.given && !oro_writer_needs_range(out, &write) &&
        field.account.range != ORO_ASSUMED)
        oro_note(&cli_log, ORO_NOTICE, "'%s' holds heights, not levels: --low and --high are left aside",
                 out);
    cli_weights_free(&weights);
    oro_free(texture);
    oro_heightfield_free(&field);
    return ok;
}

static int run_convert(const void *parsed, char *const *arguments, int count)
{
    (void)count;
    struct oro_error err = {0};
    const struct convert_options *options = parsed;
    const char *in = arguments[0], *out = arguments[1];
    struct cli_standard standard = {0};
    cli_take_memory(&options->memory);
    cli_interrupt_begin(true);
    bool ok = cli_deliver_check(&options->deliver, out, &err) &&
              cli_standard_out(&standard, &out, options->format, &err) &&
              cli_standard_in(&standard, &in, options->in_format, &err) && convert(in, out, options, &err) &&
              cli_standard_send(&standard, &err);
    cli_standard_end(&standard);
    cli_interrupt_end();
    return ok ? CLI_DONE : (int)cli_fail(&err);
}

#define AT(field) offsetof(struct convert_options, field)
static const struct cli_option options_table[] = {
    {"size", 0, CLI_TEXT, AT(size), "N|WxH|PRESET",
     .help = "Resample: longer side, both sides, or the nearest size of as_is, power_of_two,\n"
             "                              power_of_two_plus_one, unreal, unity, godot"},
    CLI_DELIVER_OPTIONS,
    {"weights", 0, CLI_TEXT, AT(deliver.weights), "FILE[,FILE]...",
     .help = "Masks that go out with OUT as weight maps, which add up to 255 everywhere"},
    {"low", 0, CLI_NUMBER, AT(low), "M", .help = "OUT holds whole numbers: metres of its value 0"},
    {"high", 0, CLI_NUMBER, AT(high), "M", .help = "Metres of its largest value"},
    {"in-low", 0, CLI_NUMBER, AT(in_low), "M",
     .help = "IN holds levels, or floats within 0..1: metres of its value 0"},
    {"in-high", 0, CLI_NUMBER, AT(in_high), "M", .help = "Metres of its largest value"},
    {"unit", 0, CLI_TEXT, AT(unit), "U",
     .help = "Unit of the heights of IN: m, ft, us-ft, km, ..., or metres of one"},
    {"nodata", 0, CLI_NUMBER, AT(nodata), "V",
     .help = "Cells of IN of this height have none (default: what IN says, else -9999, -32768 and\n"
             "                              their kin)"},
    {"sea", 0, CLI_TEXT, AT(sea), "FILE|M",
     .help = "Where the sea is, as large as IN: a mask, or its level; --drain leads water there"},
    {"cell", 0, CLI_NUMBER, AT(cell), "M", .min = 1e-6, .max = 1e6, .help = "Size of a cell of IN in metres"},
    {"crs", 0, CLI_TEXT, AT(crs), "EPSG:N",
     .help = "System in metres that IN is warped to, or is taken to lie in where it does not say"},
    {"window", 0, CLI_TEXT, AT(window), "W,S,E,N",
     .help = "Read only this part of IN: west, south, east and north in metres of its system, or of --crs"},
    {"by-windows", 0, CLI_FLAG, AT(by_windows),
     .help = "Never hold IN in memory, as larger ones than 32768 cells a side are not in any case"},
    {"allow-path", 0, CLI_FLAG, AT(allow_path),
     .help = "Let a mosaic (.vrt) name files outside its own folder"},
    CLI_ENCODING_OPTIONS,
    {"in-size", 0, CLI_EXTENT, AT(in_size), "WxH",
     .help = "Size of IN where it has no header (.r16, .raw, .r32)"},
    {"in-format", 0, CLI_TEXT, AT(in_format), "EXT", .help = "Format of IN where it is '-': an extension"},
    {"format", 0, CLI_TEXT, AT(format), "EXT", .help = "Format of OUT where it is '-'"},
    {"in-big-endian", 0, CLI_FLAG, AT(in_big_endian), .help = "Byte order of IN where it has no header"},
    {"big-endian", 0, CLI_FLAG, AT(big_endian), .help = "Byte order of OUT where it has no header"},
    {"channel", 0, CLI_TEXT, AT(channel), "NAME",
     .help = "IN is .exr: the channel to read (default: that of the heights)"},
    CLI_DECODE_OPTION,
    CLI_DRAIN_OPTIONS,
    CLI_MESH_OPTIONS,
    {"texture", 0, CLI_TEXT, AT(mesh.texture), "FILE",
     .help = "OUT is .glb: with this PNG or JPEG, which covers the terrain"},
    CLI_MEMORY_OPTION,
    {0},
};
#undef AT

const struct cli_command cli_convert = {
    .name = "convert",
    .arguments = "IN OUT",
    .summary = "Converts a heightfield to another format or size",
    .help =
        "Formats follow the extensions. '-' is standard input or output. OUT.json is written beside OUT "
        "and records the height range. Says\n"
        "whether OUT drains: resampling makes closed depressions, which are carved open again where IN has "
        "none, and by --drain repair.\n"
        "Example: orograph convert alps.r16 alps.png --low 0 --high 4200 --size unreal\n"
        "         orograph convert N46E008.hgt alps.tif --window 440000,5130000,460000,5150000\n",
    .options = options_table,
    .options_size = sizeof(struct convert_options),
    .least = 2,
    .most = 2,
    .run = run_convert,
};
