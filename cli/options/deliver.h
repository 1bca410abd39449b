/* Files for an engine, in tiles, with weight maps: options that `render` and `convert` have in common, and
 * what is said of them. */
#ifndef ORO_CLI_OPTIONS_DELIVER_H
#define ORO_CLI_OPTIONS_DELIVER_H

#include "cli/options/options.h"
#include "formats/format.h"

struct cli_deliver_options {
    int engine;     /* index into oro_engine_names */
    int resampling; /* enum oro_resampling */
    struct cli_integer tiles, overlap;
    const char *name, *weights; /* of weights: outputs, or files, with commas between them */
};

/* Rows of a command's table of options; AT(member) is the offset of one in the command's struct, which has
 * these options as `deliver`. */
#define CLI_DELIVER_OPTIONS                                                                                  \
    CLI_ROW_CHOICE("for", deliver.engine, oro_engine_names,                                                  \
                   "OUT is for this engine: its size and order of rows; says what to enter there"),          \
        CLI_ROW_CHOICE("resampling", deliver.resampling, oro_resampling_words,                               \
                       "Surface where cells get smaller, as 'method' of the node resize"),                   \
        CLI_ROW_INTEGER("tiles", deliver.tiles, "N", 2, ORO_HEIGHTFIELD_SIDE_MAX,                            \
                        "Cut OUT into tiles of N x N cells, listed in NAME.tiles.json"),                     \
        CLI_ROW_INTEGER("overlap", deliver.overlap, "M", 0, ORO_HEIGHTFIELD_SIDE_MAX,                        \
                        "Cells that neighbouring tiles share (default 1)"),                                  \
        CLI_ROW_TEXT("name", 0, deliver.name, "PATTERN",                                                     \
                     "Names of tiles (default '{n}_x{x}_y{y}'; {n} is OUT's, without extension)")

/* How a command delivers; zeroed: one file, for nobody in particular. */
struct cli_deliver {
    const struct oro_engine *engine;
    enum oro_resampling resampling;
    bool tiled;
    struct oro_tiling tiling;
};

/* Whether the options go together, and with OUT as it was given. Fails with ORO_E_USAGE. */
bool cli_deliver_check(const struct cli_deliver_options *options, const char *out, struct oro_error *err);
/* Understands the options, and finds what is wrong with them before any work is done. Fails with
 * ORO_E_USAGE. */
bool cli_deliver_begin(const struct cli_deliver_options *options, const char *out,
                       struct cli_deliver *deliver, struct oro_error *err);
/* Whether a raster of that size, or of the size that the engine makes of it, can be delivered so: found out
 * before it is computed. Fails with ORO_E_USAGE. */
bool cli_deliver_fits(const struct cli_deliver *deliver, const char *out, int width, int height,
                      struct oro_error *err);
void cli_deliver_into(const struct cli_deliver *deliver, struct oro_write_options *write);

/* How many items a list with commas has; and each of them. The caller frees; NULL: memory is out. */
size_t cli_list_count(const char *list);
char *cli_list_item(const char *list, size_t number);

/* What became of a raster of that size, on standard output: whether it was resampled, in how many tiles it
 * was written, and what to enter in the engine. */
void cli_deliver_say(const char *path, int width, int height, const struct oro_write_options *options);

#endif
