/* orograph measure: the truth about a heightfield, ours or not. */
#include "cli/measure.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/json.h"

struct measure_options {
    bool json, big_endian;
    struct cli_number low, high, cell;
    struct cli_extent size;
};

bool cli_read_range(const struct cli_number *low, const struct cli_number *high,
                    struct oro_read_options *options, struct oro_error *err)
{
    if (low->given != high->given)
        return oro_fail(err, ORO_E_USAGE, "--low and --high go together");
    if (low->given && low->value >= high->value)
        return oro_fail(err, ORO_E_USAGE, "--low must be below --high");
    options->has_range = low->given;
    options->low = low->value;
    options->high = high->value;
    return true;
}

static void print_text(const char *path, const struct oro_measure *m, bool metres)
{
    char number[ORO_NUMBER_SIZE];
    const char *unit = metres ? " m" : "";
    int digits = metres ? 2 : 5;
    printf("file        %s\n", path);
    printf("size        %d x %d\n", m->width, m->height);
    if (m->cell > 0)
        printf("cell        %s m (%.6g x %.6g m in all)\n", oro_format_number(m->cell, number),
               m->width * m->cell, m->height * m->cell);
    else
        printf("cell        unknown (give --cell M)\n");
    printf("range       %.*f..%.*f%s%s\n", digits, m->low, digits, m->high, unit,
           metres ? "" : " (no height range known; give --low M --high M)");
    printf("mean        %.*f%s\n", digits, m->mean, unit);
    printf("pits        %zu\n", m->pits);
    printf("flats       %zu\n", m->flats);
    printf("into pits   %.2f %% of the drained area\n", 100 * m->share_ending_in_pit);
}

static bool print_json(const char *path, const struct oro_measure *m, bool metres, struct oro_error *err)
{
    json_t *object = json_object();
    cli_json_text(object, "file", path);
    cli_json_integer(object, "width", m->width);
    cli_json_integer(object, "height", m->height);
    cli_json_add(object, "cell", m->cell > 0 ? json_real(m->cell) : NULL);
    cli_json_flag(object, "metres", metres);
    cli_json_number(object, "low", m->low);
    cli_json_number(object, "high", m->high);
    cli_json_number(object, "mean", m->mean);
    cli_json_integer(object, "pits", (int64_t)m->pits);
    cli_json_integer(object, "flats", (int64_t)m->flats);
    cli_json_number(object, "share_ending_in_pit", m->share_ending_in_pit);
    bool ok = cli_json_print(object);
    json_decref(object);
    return ok || oro_fail(err, ORO_E_WRITE, "cannot write the measures");
}

bool cli_measure_file(const char *path, const struct oro_read_options *options, double cell, bool json,
                      struct oro_error *err)
{
    struct oro_heightfield field = {0};
    struct oro_measure measure = {0};
    if (!oro_heightfield_read(path, options, &field, err))
        return false;
    if (cell > 0)
        field.cell = cell;
    bool ok = oro_measure(&field, &measure, err);
    if (ok && json)
        ok = print_json(path, &measure, field.metres, err);
    else if (ok)
        print_text(path, &measure, field.metres);
    oro_heightfield_free(&field);
    return ok;
}

static int run_measure(const void *parsed, char *const *arguments, int count)
{
    (void)count;
    const struct measure_options *options = parsed;
    struct oro_read_options read = {.width = options->size.width,
                                    .height = options->size.height,
                                    .big_endian = options->big_endian,
                                    .log = &cli_log};
    struct oro_error err = {0};
    if (!cli_read_range(&options->low, &options->high, &read, &err) ||
        !cli_measure_file(arguments[0], &read, options->cell.value, options->json, &err))
        return (int)cli_fail(&err);
    return CLI_DONE;
}

#define AT(field) offsetof(struct measure_options, field)
static const struct cli_option options_table[] = {
    {"json", 0, CLI_FLAG, AT(json), .help = "Print JSON"},
    {"low", 0, CLI_NUMBER, AT(low), "M", .help = "Metres of the file's 0 (16-bit and 8-bit files)"},
    {"high", 0, CLI_NUMBER, AT(high), "M", .help = "Metres of the file's largest value"},
    {"cell", 0, CLI_NUMBER, AT(cell), "M", .min = 1e-6, .max = 1e6, .help = "Size of a cell in metres"},
    {"size", 0, CLI_EXTENT, AT(size), "WxH", .help = "Size of a file without a header (.r16, .raw, .r32)"},
    {"big-endian", 0, CLI_FLAG, AT(big_endian), .help = "Byte order of a file without a header"},
    {0},
};
#undef AT

const struct cli_command cli_measure = {
    .name = "measure",
    .arguments = "HEIGHTFIELD",
    .summary = "Measures a heightfield: size, range, pits, flats",
    .help = "A pit is a cell inside the border with no lower neighbour; a flat is a pit with an equal one.\n"
            "Example: orograph measure alps.png --low 0 --high 4200 --cell 25\n",
    .options = options_table,
    .options_size = sizeof(struct measure_options),
    .least = 1,
    .most = 1,
    .run = run_measure,
};
