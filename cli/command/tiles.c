/* orograph tiles: the manifest of tiles that another program wrote. */
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/command/measure.h"
#include "cli/report/console.h"
#include "formats/reader/pattern.h"

struct tiles_options {
    const char *out;
    bool big_endian;
    struct cli_number low, high;
    struct cli_extent size;
    int decode;
};

/* One tile stands for all whose names differ from its own by place alone. */
static bool write_manifest(const char *path, const struct tiles_options *options, struct oro_error *err)
{
    struct oro_read_options read = {.width = options->size.width,
                                    .height = options->size.height,
                                    .big_endian = options->big_endian,
                                    .decode = (enum oro_decode)options->decode,
                                    .log = &cli_log};
    char *written = NULL, *found = oro_path_is_pattern(path) ? NULL : oro_pattern_of(path);
    bool ok = cli_read_range("low", "high", &options->low, &options->high, &read, err) &&
              oro_pattern_write(found ? found : path, options->out, &read, &written, err);
    if (ok)
        printf("wrote %s\n", written);
    oro_free(found);
    oro_free(written);
    return ok;
}

static int run_tiles(const void *parsed, char *const *arguments, int count)
{
    (void)count;
    struct oro_error err = {0};
    return write_manifest(arguments[0], parsed, &err) ? CLI_DONE : (int)cli_fail(&err);
}

#define AT(field) offsetof(struct tiles_options, field)
static const struct cli_option options_table[] = {
    {"out", 'o', CLI_TEXT, AT(out), "FILE.json", .help = "The manifest, in the folder of the tiles"},
    {"low", 0, CLI_NUMBER, AT(low), "M", .help = "Metres of the value 0 of files of whole numbers"},
    {"high", 0, CLI_NUMBER, AT(high), "M", .help = "Metres of their largest value"},
    CLI_DECODE_OPTION,
    {"size", 0, CLI_EXTENT, AT(size), "WxH", .help = "Size of a tile without a header (.r16, .raw, .r32)"},
    {"big-endian", 0, CLI_FLAG, AT(big_endian), .help = "Byte order of tiles without a header"},
    {0},
};
#undef AT

const struct cli_command cli_tiles = {
    .name = "tiles",
    .arguments = "PATTERN",
    .summary = "Writes the manifest of tiles of other programs",
    .help =
        "PATTERN is the name of the tiles with {x} and {y} for their columns and rows, or the name of one "
        "tile. What neighbours share, and from\n"
        "where y counts, their edges tell. The manifest is read as the whole; so is PATTERN itself.\n"
        "Example: orograph tiles 'alps_x{x}_y{y}.png' --low 0 --high 4200\n",
    .options = options_table,
    .options_size = sizeof(struct tiles_options),
    .least = 1,
    .most = 1,
    .run = run_tiles,
};
