/* How a file is encoded, where its format leaves a choice: options that `render` and `convert` have in
 * common. */
#ifndef ORO_CLI_OPTIONS_ENCODING_H
#define ORO_CLI_OPTIONS_ENCODING_H

#include "cli/options/options.h"
#include "formats/format.h"

struct cli_encoding_options {
    int bits, compress; /* indices into oro_bits_words, oro_compress_words */
    bool cog, half, tiled;
    const char *channel;
};

/* Rows of a command's table of options; AT(member) is the offset of one in the command's struct, which has
 * these options as `encoding`. */
#define CLI_ENCODING_OPTIONS                                                                                 \
    CLI_ROW_CHOICE("bits", encoding.bits, oro_bits_words,                                                    \
                   "OUT is a GeoTIFF or Zarr: 16 are levels of its range, 32 are floats (the default)"),     \
        CLI_ROW_CHOICE("compress", encoding.compress, oro_compress_words,                                    \
                       "OUT is a GeoTIFF: how it is compressed"),                                            \
        CLI_ROW_FLAG("cog", encoding.cog, "OUT is a GeoTIFF: a cloud optimized one, with overviews"),        \
        CLI_ROW_TEXT("out-channel", 0, encoding.channel, "NAME",                                             \
                     "OUT is .exr: the name of the terrain's channel (default height; Blender shows Y)"),    \
        CLI_ROW_FLAG("half", encoding.half,                                                                  \
                     "OUT is .exr: half floats, in half the space; drained by their own steps"),             \
        CLI_ROW_FLAG("tiled", encoding.tiled, "OUT is .exr: in tiles of 64 x 64 cells instead of rows")

/* What is done so that water finds its way out of OUT: options likewise, as `drain`. */
struct cli_drain_options {
    int how; /* enum oro_drain */
    struct cli_number limit;
    bool required;
};
#define CLI_DRAIN_OPTIONS                                                                                    \
    CLI_ROW_CHOICE("drain", drain.how, oro_drain_words,                                                      \
                   "repair carves a way out of every closed depression; strict also leaves no level\n"       \
                   "                              stretches in 16-bit files and half floats; check counts"), \
        CLI_ROW_NUMBER("drain-limit", drain.limit, "M", 0, 1e9,                                              \
                       "With --drain strict: fail where a cell would change by more (default 10; 0: no "     \
                       "limit)"),                                                                            \
        CLI_ROW_FLAG("require-drained", drain.required, "Fail where a closed depression would be left")
bool cli_drain_check(const struct cli_drain_options *options, struct oro_error *err);
void cli_drain_into(const struct cli_drain_options *options, struct oro_write_options *write);

/* Fails with ORO_E_USAGE if options are given that are of other formats. `out` may be NULL: there is no OUT.
 */
bool cli_encoding_check(const char *out, const struct cli_encoding_options *options, struct oro_error *err);
void cli_encoding_into(const struct cli_encoding_options *options, struct oro_write_options *write);

#endif
